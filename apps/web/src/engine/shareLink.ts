/** Text squeezed into letters that need no escaping in an address: raw deflate, then base64url. */
export const packText = async (text: string): Promise<string> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const longestUnpacked = 1_000_000

/** The text of `packText`. Throws an Error with a sentence when the letters are damaged or hold too much. */
export const unpackText = async (packed: string, what = 'scenario'): Promise<string> => {
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      text += decoder.decode(value, { stream: true })
      if (text.length > longestUnpacked) throw new Error('too long')
    }
  } catch (cause) {
    throw new Error(
      `The ${what} in this address cannot be read: the link is cut off or damaged. Copy the whole of it again.`,
      {
        cause,
      },
    )
  }
}
