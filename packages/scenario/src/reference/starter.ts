/** What `init` writes: a small scenario with the options that people change first. */
export const starterText = `# A scenario: a model on a fleet of replicas, under traffic. Run it with: ./windtunnel run scenario.yaml
version: 1
name: my-scenario
seed: 1

# A name from "./windtunnel list models", or { config: path/to/config.json } from Hugging Face.
model: llama-3.1-8b

# What you promise; requests that keep every promise count as goodput.
objectives:
  default: { ttftSeconds: 0.5, tpotSeconds: 0.05 }

# Pools of equal replicas. For a disaggregated layout write one pool with role: prefill and one with role: generate.
fleet:
  - name: default
    hardware: h100-sxm # "./windtunnel list hardware"
    replicas: 2
    layout: { tp: 1 } # tensor parallel over this many accelerators a replica
    engine: { name: vllm, prefixCache: true }

# How requests find a replica: "./windtunnel list routers".
router: round-robin

# When requests come, and how long prompts and answers are ("./windtunnel list arrivals", "... list structures").
# Replay a recorded trace instead with: --trace FILE
traffic:
  arrivals: { name: poisson, requestsPerSecond: 8 }
  structure:
    name: single
    input: { name: lognormal, mean: 1000, cv: 1 }
    output: { name: lognormal, mean: 200, cv: 0.8 }

run:
  durationSeconds: 300
`

/** The same as a value, for the scenario with every option. */
export const starterValue = {
  version: 1,
  name: 'my-scenario',
  seed: 1,
  model: 'llama-3.1-8b',
  objectives: { default: { ttftSeconds: 0.5, tpotSeconds: 0.05 } },
  fleet: [{ name: 'default', hardware: 'h100-sxm', replicas: 2 }],
  router: { name: 'round-robin' },
  traffic: {
    arrivals: { name: 'poisson', requestsPerSecond: 8 },
    structure: {
      name: 'single',
      input: { name: 'lognormal', mean: 1000, cv: 1 },
      output: { name: 'lognormal', mean: 200, cv: 0.8 },
    },
  },
  run: { durationSeconds: 300 },
}
