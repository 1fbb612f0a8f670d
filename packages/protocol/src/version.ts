/** Version of the wire protocol. Raised when a message changes in a way that an older reader would misread. */
export const PROTOCOL_VERSION = 1

/** Path of the WebSocket on the server. */
export const STREAM_PATH = '/api/stream'
