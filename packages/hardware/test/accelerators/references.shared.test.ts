import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { accelerator, fabrics, nodes, podOf, product, treeLevels, treeSwitches } from '../../src/index.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')
const folder = resolve(root, process.env['WINDTUNNEL_DATA'] ?? '../shared')
const file = join(folder, 'reference/hardware-specs.json')
const missing = !existsSync(file)
const why = missing ? ` (skipped: no ${file}; set WINDTUNNEL_DATA)` : ''
if (missing) console.warn(`The reference figures are missing: ${file}. Set WINDTUNNEL_DATA to check against them.`)

type Row = Record<string, { value?: unknown } | undefined>
interface Specs {
  tpu: Record<string, Row>
  gpu: Record<string, Row>
  superpod: {
    H100_1024: { total_switches: number; levels: { switch_bw: number; cable_bw: number; collective: number }[] }
  }
  gpu_nodes: Record<string, { gpus: number; gpu_egress: number; node_egress: number }>
}

const specs = (): Specs => JSON.parse(readFileSync(file, 'utf8')) as Specs
const number = (row: Row | undefined, key: string): number | undefined => {
  const value = row?.[key]?.value
  return typeof value === 'number' ? value : undefined
}

/** Compares where the table has a figure; returns how many it had. */
const same = (pairs: readonly (readonly [number | undefined, number | undefined, string])[]): number => {
  const stated = pairs.filter(([table]) => table !== undefined)
  for (const [table, ours, what] of stated) expect(ours, what).toBe(table)
  return stated.length
}

const tpus = { v3: 'tpu-v3', v4p: 'tpu-v4', v5p: 'tpu-v5p', v5e: 'tpu-v5e', v6e: 'tpu-v6e', tpu7x: 'tpu-v7' }
const gpus = { V100: 'v100-sxm', A100: 'a100', H100: 'h100', H200: 'h200', B200: 'b200' }

describe.skipIf(missing)(`the book profile, against the table of its figures${why}`, () => {
  for (const [row, name] of Object.entries(tpus))
    it(`agrees on ${name}`, () => {
      const table = specs().tpu[row]
      const ours = accelerator(name, 'book')
      const compared = same([
        [number(table, 'bf16_flops'), ours.flopsPerSecond.bf16, 'bf16'],
        [number(table, 'int8_ops'), ours.flopsPerSecond.int8, 'int8'],
        [number(table, 'hbm_bytes'), ours.hbmBytes, 'HBM bytes'],
        [number(table, 'hbm_bw'), ours.hbmBytesPerSecond, 'HBM bandwidth'],
        [number(table, 'ici_link_oneway'), ours.scaleUpLinkBytesPerSecond, 'link'],
        [number(table, 'ici_neighbours'), ours.scaleUpLinks, 'links'],
        [number(table, 'cores_per_chip'), ours.coresPerDevice, 'cores'],
        [number(table, 'vmem_bytes'), ours.vmemBytes, 'VMEM'],
        [number(table, 'clock'), ours.clockHz, 'clock'],
        [number(table, 'price'), ours.priceUsdPerHour, 'price'],
        [number(table, 'pcie_bw'), ours.hostBytesPerSecond, 'PCIe'],
        [number(table, 'dcn_per_chip'), ours.dcnBytesPerSecond, 'DCN'],
        [number(table, 'vreg_bytes_per_core'), ours.registerBytesPerUnit, 'registers'],
        [number(table, 'hop_latency'), ours.scaleUpHopSeconds, 'hop'],
        [number(table, 'chips'), product(podOf(ours).shape), 'chips'],
      ])
      expect(compared).toBeGreaterThan(4)
      const chips = table?.['pod']?.value
      if (Array.isArray(chips)) expect(product(podOf(ours).shape)).toBe(product(chips as number[]))
      expect(podOf(ours).hostShape).toEqual(table?.['host']?.value)
    })

  for (const [row, name] of Object.entries(gpus))
    it(`agrees on ${name}`, () => {
      const table = specs().gpu[row]
      const ours = accelerator(name, 'book')
      const compared = same([
        [number(table, 'bf16_fp16'), ours.flopsPerSecond.bf16, 'bf16'],
        [number(table, 'fp8_int8'), ours.flopsPerSecond.int8, 'int8'],
        [number(table, 'fp4'), ours.flopsPerSecond.fp4, 'fp4'],
        [number(table, 'hbm_bytes'), ours.hbmBytes, 'HBM bytes'],
        [number(table, 'hbm_bw'), ours.hbmBytesPerSecond, 'HBM bandwidth'],
        [number(table, 'l2'), ours.l2Bytes, 'L2'],
        [number(table, 'smem_per_sm'), ours.smemBytesPerSm, 'SMEM'],
        [number(table, 'tmem_per_sm'), ours.tmemBytesPerSm, 'TMEM'],
        [number(table, 'sms'), ours.smCount, 'SMs'],
        [number(table, 'clock'), ours.clockHz, 'clock'],
        [number(table, 'price'), ours.priceUsdPerHour, 'price'],
      ])
      expect(compared).toBeGreaterThan(4)
      const clocks = table?.['clock_base_boost']?.value
      if (Array.isArray(clocks)) expect([ours.baseClockHz, ours.clockHz]).toEqual(clocks)
    })

  it('agrees on nodes and on every level of the SuperPod', () => {
    const { gpu_nodes, superpod } = specs()
    const nvl72 = treeLevels(fabrics['superpod-gb200-576'])
    expect(nodes['gb200-nvl72'].devices).toBe(gpu_nodes['GB200_NVL72']?.gpus)
    expect(nvl72[1]?.collectiveBytesPerSecond).toBe(gpu_nodes['GB200_NVL72']?.node_egress)
    const levels = treeLevels(fabrics['superpod-h100-1024'])
    expect(treeSwitches(fabrics['superpod-h100-1024'])).toBe(superpod.H100_1024.total_switches)
    levels.forEach((level, index) => {
      const table = superpod.H100_1024.levels[index]
      expect(level.switchBytesPerSecond).toBe(table?.switch_bw)
      expect(level.cableBytesPerSecond).toBe(table?.cable_bw)
      expect(level.collectiveBytesPerSecond).toBe(table?.collective)
    })
  })
})

const stepCost = join(folder, 'reference/step-cost.md')
const names: Record<string, string> = { a100_sxm: 'a100', rtx_pro_6000_server: 'rtx-pro-6000' }

describe.skipIf(!existsSync(stepCost))(
  `the vendor profile, against the peaks the kernel fits were made with${why}`,
  () => {
    it('agrees on every row', () => {
      const rows = readFileSync(stepCost, 'utf8').matchAll(
        /(\w+) ([\d.]+),([\d.-]+),([\d.-]+);([\d.]+);(\d+);(\d+);(\d+)/g,
      )
      let compared = 0
      for (const [, gpu, bf16, fp8, fp4, hbm, sms, l2, link] of rows) {
        const ours = accelerator(names[gpu!] ?? gpu!)
        const flops = ours.flopsPerSecond
        expect((flops.bf16 ?? 0) / 1e12, gpu).toBeCloseTo(Number(bf16), 6)
        if (fp8 !== '-') expect((flops.fp8 ?? 0) / 1e12 / Number(fp8), gpu).toBeCloseTo(1, 2)
        if (fp4 !== '-') expect((flops.fp4 ?? 0) / 1e12, gpu).toBeCloseTo(Number(fp4), 6)
        expect(ours.hbmBytesPerSecond / 1e12, gpu).toBeCloseTo(Number(hbm), 6)
        expect(ours.smCount, gpu).toBe(Number(sms))
        expect((ours.l2Bytes ?? 0) / 1e6, gpu).toBe(Number(l2))
        expect((ours.scaleUpBytesPerSecond ?? 0) / 1e9, gpu).toBe(Number(link))
        compared += 1
      }
      expect(compared).toBe(12)
    })
  },
)
