/** What the streams of traffic are called, in their order: by name, by a service class of their own, or by number. */
export function streamNames(
  streams: readonly { readonly name?: string | undefined; readonly serviceClass?: string | undefined }[],
): string[] {
  return streams.map(({ name, serviceClass }, at) => {
    if (name !== undefined) return name
    const alone = streams.every((other, i) => i === at || other.serviceClass !== serviceClass)
    const taken = streams.some((other) => other.name === serviceClass)
    return serviceClass !== undefined && alone && !taken ? serviceClass : `stream ${at + 1}`
  })
}
