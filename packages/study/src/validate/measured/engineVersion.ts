/** Releases that matter for overheads, with the day from which sweeps were recorded with them; oldest first. */
const releases: Readonly<Record<string, readonly (readonly [version: string, from: string])[]>> = {
  vllm: [
    ['0.18.0', '2026-03-27'],
    ['0.19.0', '2026-04-08'],
  ],
  sglang: [
    ['0.5.4', '2025-10-01'],
    ['0.5.5', '2025-11-18'],
    ['0.5.9', '2026-03-01'],
  ],
  trtllm: [
    ['1.1.0', '2025-10-01'],
    ['1.2.0', '2026-01-07'],
  ],
}

/** Stands for the newest version known. */
export const UNKNOWN_VERSION = '99'

/** The version that a nightly build or an unnamed one of a day stands nearest to. */
export function versionOn(engine: string, day: string | undefined): string {
  if (day === undefined) return UNKNOWN_VERSION
  const before = (releases[engine] ?? []).filter(([, from]) => from <= day)
  return before.at(-1)?.[0] ?? UNKNOWN_VERSION
}
