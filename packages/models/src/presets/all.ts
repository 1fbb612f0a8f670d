export { llama2_7b, llama2_13b, llama2_70b } from './llama2.ts'
export { llama31_8b, llama31_70b, llama31_405b } from './llama31.ts'
export { mixtral_8x7b, mixtral_8x22b } from './mixtral.ts'
export { qwen3_30b_a3b, qwen3_32b, qwen3_235b_a22b } from './qwen3.ts'
