import { describe, expect, it } from 'vitest'
import { originAllowed, tokenAccepted } from '../../src/http/gate.ts'

const local = { host: '127.0.0.1' }
const from = (origin: string | undefined, host = '127.0.0.1:4173') => ({
  headers: { host, ...(origin === undefined ? {} : { origin }) },
})

describe('who may talk to the server', () => {
  it('programs without an origin, our own page, and other pages of this machine', () => {
    expect(originAllowed(from(undefined), local)).toBe(true)
    expect(originAllowed(from('http://127.0.0.1:4173'), local)).toBe(true)
    expect(originAllowed(from('http://localhost:5173'), local)).toBe(true)
  })

  it('not a page from elsewhere, nor a name that was bound to our address, nor nonsense', () => {
    expect(originAllowed(from('https://evil.example'), local)).toBe(false)
    expect(originAllowed(from('http://evil.example:4173', 'evil.example:4173'), local)).toBe(false)
    expect(originAllowed(from(undefined, 'evil.example:4173'), local)).toBe(false)
    expect(originAllowed(from('null'), local)).toBe(false)
  })

  it('on another address than loopback, only the page of the same host', () => {
    const open = { host: '0.0.0.0' }
    expect(originAllowed(from('http://wind.example:4173', 'wind.example:4173'), open)).toBe(true)
    expect(originAllowed(from('http://other.example', 'wind.example:4173'), open)).toBe(false)
  })

  it('a token, when there is one, by header or by query', () => {
    const gate = { host: '0.0.0.0', token: 'secret' }
    expect(tokenAccepted({ headers: {}, url: '/api/runs' }, gate)).toBe(false)
    expect(tokenAccepted({ headers: { authorization: 'Bearer secret' }, url: '/' }, gate)).toBe(true)
    expect(tokenAccepted({ headers: { authorization: 'Bearer wrong' }, url: '/?token=secret' }, gate)).toBe(false)
    expect(tokenAccepted({ headers: {}, url: '/api/stream?token=secret' }, gate)).toBe(true)
    expect(tokenAccepted({ headers: {}, url: '/' }, local)).toBe(true)
  })
})
