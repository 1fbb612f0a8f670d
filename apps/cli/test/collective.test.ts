import { DEFAULT_PROFILE } from '@windtunnel/cost/collectives/collectiveOn'
import { describe, expect, it } from 'vitest'
import { commandFolder } from './inFolder.ts'

const { windtunnel } = commandFolder()
const gather = (...more: string[]) => windtunnel('collective', 'all-gather', '--bytes', '34e6', ...more)

describe('windtunnel collective', () => {
  it('takes the figures of the book unless told otherwise, as the function does, and says so', async () => {
    // Three of four shards over one direction of 45 GB/s, or of the 50 GB/s that the maker states.
    const book = await gather('--on', 'tpu-v5e:8x4', '--axis', 'Y')
    expect(book.stdout).toContain('566.7 us')
    expect(book.stdout).toContain('of the book where it has some')
    const vendor = await gather('--on', 'tpu-v5e:8x4', '--axis', 'Y', '--profile', 'vendor')
    expect(vendor.stdout).toContain('510 us')
    expect(JSON.parse((await gather('--on', 'h100:8', '--json')).stdout).profile).toBe(DEFAULT_PROFILE)
  })

  it('says over which network cards talk that a bridge joins in pairs', async () => {
    expect((await gather('--on', 'rtx-a6000:4')).stdout).toContain('pcie of a server of 8: nvlink joins 2 of them only')
    expect((await gather('--on', 'rtx-a6000:2')).stdout).toContain('nvlink, which joins 2 of them')
  })

  it('says what it assumes where no node is known, and refuses more', async () => {
    expect((await gather('--on', 'ascend-950:8')).stdout).toContain('is an assumption')
    const more = await gather('--on', 'ascend-950:16')
    expect(more.status).toBe(2)
    expect(more.stderr).toContain('at most 8 devices of ascend-950, as is assumed')
  })
})
