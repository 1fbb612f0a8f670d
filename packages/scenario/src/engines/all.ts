export { sglang } from './sglang.ts'
export { staticBatching } from './staticBatching.ts'
export { vllm } from './vllm.ts'
