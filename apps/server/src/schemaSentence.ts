/** What a schema says, which puts each fault on a line and its place on the next, as one sentence. */
export const schemaSentence = (text: string): string => text.replaceAll('\n  at', ' at').replaceAll('\n', '; ')
