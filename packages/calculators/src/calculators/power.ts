import { calculator } from '../calculator.ts'
import { count, degree, flag, optional, quantity, withDefault } from '../fields/field.ts'
import { dgxH100 } from '../fields/source.ts'

const watts = (sentence: string, also: readonly string[] = []) => quantity('W', sentence, { minimum: 0, also })
const server = {
  cardsPerServer: withDefault(degree('g, cards of a server.'), dgxH100.cards),
  serverPower: withDefault(quantity('W', 'P_s, one whole server.', { above: 0 }), dgxH100.watts),
}

export const powerBudget = calculator({
  title: 'Cards under a power budget',
  section: 'Power',
  formula: '(6-11) N <= g floor((P_b - P_0) / P_s); past a threshold a reserve comes off first',
  validity:
    'Whole servers, or whole groups of servers. The reserve (a second tier of switches) counts only past its threshold.',
  example: { budget: 120000 },
  input: {
    ...server,
    budget: watts('P_b, all that may be drawn.'),
    fixed: withDefault(watts('P_0, switches, storage and the like.'), 0),
    groupServers: withDefault(degree('Servers that can only be added together.'), 1),
    reserveAbove: optional(count('Cards past which the reserve is needed.')),
    reserve: withDefault(watts('Reserve for a second tier.'), 0),
  },
  output: {
    servers: count('Servers.'),
    cards: count('N, cards.'),
    power: watts('What they draw, with fixed and reserve.', ['total_power']),
    headroom: watts('Left of the budget.', ['left', 'remaining', 'spare']),
  },
  compute: (input) => {
    const { groupServers, reserveAbove, cardsPerServer, serverPower } = input
    const whole = (watts: number) => groupServers * Math.max(0, Math.floor(watts / serverPower / groupServers + 1e-12))
    const plain = whole(input.budget - input.fixed)
    const threshold = reserveAbove ?? Number.POSITIVE_INFINITY
    const below = Math.min(plain, groupServers * Math.floor(threshold / cardsPerServer / groupServers))
    const above = whole(input.budget - input.fixed - input.reserve)
    const isPast = above * cardsPerServer > threshold
    const servers = plain * cardsPerServer <= threshold ? plain : isPast ? above : below
    const drawn = servers * serverPower + input.fixed + (servers * cardsPerServer > threshold ? input.reserve : 0)
    return { servers, cards: servers * cardsPerServer, power: drawn, headroom: Math.max(0, input.budget - drawn) }
  },
})

export const serverPower = calculator({
  title: 'Power of whole servers',
  section: 'Power',
  formula: 'ceil(cards / g) P_s',
  validity: 'Limits, not averages. A server draws its limit whether or not all its cards are wanted.',
  example: { cards: 64 },
  input: { cards: degree('Cards wanted.'), ...server, budget: optional(watts('All that may be drawn.')) },
  output: {
    servers: count('Servers.'),
    power: watts('All servers.'),
    perCard: watts('One server over its cards.'),
    fits: optional(flag('Whether that is at most the budget.')),
  },
  compute: (input) => {
    const servers = Math.ceil(input.cards / input.cardsPerServer)
    const power = servers * input.serverPower
    return {
      servers,
      power,
      perCard: input.serverPower / input.cardsPerServer,
      fits: input.budget === undefined ? undefined : power <= input.budget,
    }
  },
})
