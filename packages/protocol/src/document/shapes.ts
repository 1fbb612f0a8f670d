import { Schema } from 'effect'

/** The parts of JSON Schema that the protocol uses. */
export interface Shape {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

const PREFIX = '#/$defs/'

export const nameOf = (shape: Shape): string | undefined => shape.$ref?.slice(PREFIX.length)

/** The named shapes that a message consists of, the message itself first. */
export function shapesOf(schema: Schema.Top): Map<string, Shape> {
  const document = Schema.toJsonSchemaDocument(schema)
  const definitions = document.definitions as Readonly<Record<string, Shape>>
  const shapes = new Map<string, Shape>()
  const add = (name: string | undefined): void => {
    const shape = name === undefined ? undefined : definitions[name]
    if (name === undefined || shape === undefined || shapes.has(name)) return
    shapes.set(name, shape)
    for (const inner of references(shape)) add(inner)
  }
  add(nameOf(document.schema as Shape))
  return shapes
}

function references(shape: Shape): string[] {
  const own = nameOf(shape)
  const inner = [
    ...(shape.anyOf ?? []),
    ...(shape.allOf ?? []),
    ...(shape.items === undefined ? [] : [shape.items]),
    ...Object.values(shape.properties ?? {}),
  ]
  return [...(own === undefined ? [] : [own]), ...inner.flatMap(references)]
}

const link = (name: string): string => `[${name}](#${name.toLowerCase()})`
const SAFE = Number.MAX_SAFE_INTEGER

function rangeOf(shape: Shape): string {
  const { minimum, exclusiveMinimum, maximum, maxLength } = shape
  const parts = [
    ...(minimum === undefined || minimum === -SAFE ? [] : [`>= ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`> ${exclusiveMinimum}`]),
    ...(maximum === undefined || maximum === SAFE ? [] : [`<= ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ]
  return parts.length === 0 ? '' : ` ${parts.join(', ')}`
}

/** The type of a field in words, with links to named shapes. */
export function typeOf(shape: Shape): string {
  const name = nameOf(shape)
  if (name !== undefined) return link(name)
  if (shape.enum !== undefined) return shape.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  if (shape.anyOf !== undefined) return shape.anyOf.map(typeOf).join(' or ')
  if (shape.items !== undefined) return `array of ${typeOf(shape.items)}`
  if (shape.allOf?.length === 1 && shape.type === undefined) return typeOf(shape.allOf[0]!)
  const merged = Object.assign({}, shape, ...(shape.allOf ?? [])) as Shape
  return `${merged.type ?? 'any'}${rangeOf(merged)}`
}
