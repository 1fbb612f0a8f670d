const numbers = new WeakMap<object, number>()
let last = 0

/** A number that stays with an object as long as it lives: a stable key for lists of messages that have none. */
export const serialOf = (message: object): number => {
  let number = numbers.get(message)
  if (number === undefined) {
    last += 1
    number = last
    numbers.set(message, number)
  }
  return number
}
