/** The queues in which an event can be. */
export const NOTHING = 0
export const ENGINE = 1
export const TRANSFER = 2
export const TIMERS = 3
export const DELIVERY = 4
export const ARRIVAL = 5

/** Beyond every place in ORDER. */
export const AFTER_ALL = 9
