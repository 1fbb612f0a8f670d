/** How many random scenarios a comparison tries, and the first of them: WINDTUNNEL_SEEDS and WINDTUNNEL_FIRST_SEED. */
export const seedsFrom = (usual: number) => {
  const count = Math.ceil((Number(process.env['WINDTUNNEL_SEEDS'] ?? 400) * usual) / 400)
  const first = Number(process.env['WINDTUNNEL_FIRST_SEED'] ?? 1)
  return {
    seeds: Array.from({ length: count }, (_, at) => first + at),
    /** Time for a test of them, milliseconds. */
    timeout: 30_000 + 100 * count,
    /** Of so many scenarios, how many at least must show what happens in a `share` of them: few scenarios say nothing. */
    atLeast: (share: number): number => (count < usual ? 0 : Math.floor(count * share)),
  }
}
