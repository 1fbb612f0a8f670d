export { superPodGb200x576, superPodH100x1024, superPodH100x2048, superPodH100x4096 } from './superPods.ts'
