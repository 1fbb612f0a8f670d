import { defineAccelerator } from '../accelerator.ts'
import { from } from '../quantity.ts'

const cloudMatrix = from('Serving Large Language Models on Huawei CloudMatrix384 (2025), both dies')
const connect = from('Huawei Connect 2025, Ascend 950DT')
const lanes = from('Unified Bus: 72 lanes of 112 Gbit/s')

export const ascend910c = defineAccelerator({
  name: 'ascend-910c',
  aliases: ['910c'],
  title: 'Huawei Ascend 910C',
  vendor: 'huawei',
  kind: 'npu',
  scaleUp: 'unified-bus',
  figures: {
    vendor: {
      flopsPerSecond: {
        bf16: cloudMatrix.flops(752e12),
        fp16: cloudMatrix.flops(752e12),
        int8: cloudMatrix.flops(1504e12),
      },
      hbmBytes: cloudMatrix.bytes(128e9),
      hbmBytesPerSecond: cloudMatrix.bytesPerSecond(3.2e12),
      scaleUpLinks: cloudMatrix.count(14),
      scaleUpLinkBytesPerSecond: cloudMatrix.bytesPerSecond(28e9),
      dcnBytesPerSecond: cloudMatrix.bytesPerSecond(50e9),
    },
  },
})

export const ascend950 = defineAccelerator({
  name: 'ascend-950',
  aliases: ['ascend-950dt', '950dt'],
  title: 'Huawei Ascend 950DT',
  vendor: 'huawei',
  kind: 'npu',
  scaleUp: 'unified-bus',
  figures: {
    vendor: {
      flopsPerSecond: { fp8: connect.flops(1e15), fp4: connect.flops(2e15) },
      hbmBytes: connect.bytes(144e9),
      hbmBytesPerSecond: connect.bytesPerSecond(4e12),
      scaleUpLinks: lanes.count(72),
      scaleUpLinkBytesPerSecond: lanes.bytesPerSecond(14e9),
    },
  },
})
