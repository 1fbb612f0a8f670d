import { LiveSession } from '../live/session.ts'
import { InventedSource } from './inventedSource.ts'

export const inventedSession = (): LiveSession => new LiveSession(new InventedSource())
