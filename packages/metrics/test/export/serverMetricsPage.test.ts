import { describe, expect, it } from 'vitest'
import { serverMetricsPage } from '../../src/export/serverMetricsPage.ts'

describe('the metrics pages of simulated servers', () => {
  it('are written family by family, replicas told apart by their id', () => {
    const page = [
      { name: 'waiting', labels: { idx: '0' }, sample: { type: 'gauge', value: 3 } as const },
      {
        name: 'seconds',
        labels: {},
        sample: { type: 'histogram', bounds: [0.5, 1], cumulative: [1, 2], sum: 4.5, count: 3 } as const,
      },
    ]
    expect(
      serverMetricsPage(
        'llama-3.1',
        [0, 1].map((replica) => ({ replica, page })),
      ),
    ).toBe(`# TYPE waiting gauge
waiting{id="0",model_name="llama_3.1",idx="0"} 3
waiting{id="1",model_name="llama_3.1",idx="0"} 3
# TYPE seconds histogram
seconds_bucket{id="0",model_name="llama_3.1",le="0.5"} 1
seconds_bucket{id="0",model_name="llama_3.1",le="1.0"} 2
seconds_bucket{id="0",model_name="llama_3.1",le="+Inf"} 3
seconds_sum{id="0",model_name="llama_3.1"} 4.5
seconds_count{id="0",model_name="llama_3.1"} 3
seconds_bucket{id="1",model_name="llama_3.1",le="0.5"} 1
seconds_bucket{id="1",model_name="llama_3.1",le="1.0"} 2
seconds_bucket{id="1",model_name="llama_3.1",le="+Inf"} 3
seconds_sum{id="1",model_name="llama_3.1"} 4.5
seconds_count{id="1",model_name="llama_3.1"} 3
`)
  })
})
