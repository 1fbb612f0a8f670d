export { staticBatching } from './static/staticBatching.ts'
export { vllm } from './vllm/vllm.ts'
