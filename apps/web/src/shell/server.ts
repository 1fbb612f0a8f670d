/** The token in the address of this page, which the server asks for when it listens beyond loopback. */
export const accessToken = (): string | undefined => new URLSearchParams(location.search).get('token') ?? undefined

/** An address of the server's API with the token, where there is one. */
export const apiAddress = (path: string): string => {
  const token = accessToken()
  return token === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}token=${encodeURIComponent(token)}`
}

/** Asks the server for JSON. Throws an Error with the server's sentence, or one that says that nothing answered. */
export const askServer = async <Answer>(path: string, request: RequestInit = {}): Promise<Answer> => {
  const response = await fetch(apiAddress(path), request).catch(() => undefined)
  if (response === undefined) throw new Error(`Nothing answers at ${location.host}.`)
  const type = response.headers.get('content-type') ?? ''
  if (!type.includes('json')) throw new Error(`No Windtunnel server answers at ${location.host}.`)
  const answer = (await response.json()) as Answer & { error?: string }
  if (!response.ok) throw new Error(answer.error ?? `The server answered ${response.status}.`)
  return answer
}
