export { vllm } from './vllm/vllm.ts'
