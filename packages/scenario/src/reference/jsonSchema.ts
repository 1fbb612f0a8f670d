import type { Doc } from '../schema/doc.ts'

/** A piece of a JSON Schema document. */
export type JsonSchema = { readonly [key: string]: unknown }

/** The scenario file as JSON Schema (draft 2020-12), for editors. Registries of parts, which nest, are definitions. */
export function jsonSchemaDocument(doc: Doc): JsonSchema {
  const definitions: Definitions = {}
  const root = jsonSchema(doc, definitions)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Windtunnel scenario',
    ...root,
    $defs: definitions,
  }
}

type Definitions = Record<string, JsonSchema>

function jsonSchema(doc: Doc, definitions: Definitions): JsonSchema {
  const notes = {
    description: doc.unit === undefined ? doc.sentence : `${doc.sentence} Unit: ${doc.unit}.`,
    ...(doc.default === undefined ? {} : { default: doc.default }),
  }
  return { ...notes, ...shape(doc, definitions) }
}

function shape(doc: Doc, definitions: Definitions): JsonSchema {
  switch (doc.kind) {
    case 'number':
      return {
        type: doc.integer ? 'integer' : 'number',
        ...(doc.minimum === undefined ? {} : { minimum: doc.minimum }),
        ...(doc.above === undefined ? {} : { exclusiveMinimum: doc.above }),
        ...(doc.maximum === undefined ? {} : { maximum: doc.maximum }),
      }
    case 'boolean':
      return { type: 'boolean' }
    case 'text':
      return { type: 'string' }
    case 'choice':
      return { enum: doc.names }
    case 'list':
      return { type: 'array', items: jsonSchema(doc.items, definitions), minItems: doc.minimumItems }
    case 'table':
      return { type: 'object', additionalProperties: jsonSchema(doc.values, definitions) }
    case 'group':
      return objectShape(doc.fields, definitions)
    case 'variant':
      if (doc.registry === undefined) return variantShape(doc, definitions)
      if (definitions[doc.registry] === undefined) {
        definitions[doc.registry] = {}
        definitions[doc.registry] = variantShape(doc, definitions)
      }
      return { $ref: `#/$defs/${doc.registry}` }
    case 'either':
      return { anyOf: doc.options.map((option) => jsonSchema(option, definitions)) }
    case 'any':
      return {}
  }
}

function variantShape(doc: Doc & { kind: 'variant' }, definitions: Definitions): JsonSchema {
  const groups = Object.entries(doc.cases).map(([name, one]) => ({
    description: one.sentence,
    ...objectShape(one.kind === 'group' ? one.fields : {}, definitions, [doc.tag, name]),
  }))
  return { anyOf: [{ enum: Object.keys(doc.cases) }, ...groups] }
}

function objectShape(
  fields: Readonly<Record<string, Doc>>,
  definitions: Definitions,
  tag?: readonly [string, string],
): JsonSchema {
  const properties: Record<string, JsonSchema> = tag === undefined ? {} : { [tag[0]]: { const: tag[1] } }
  const required = tag === undefined ? [] : [tag[0]]
  for (const [name, field] of Object.entries(fields)) {
    properties[name] = jsonSchema(field, definitions)
    if (field.optional !== true) required.push(name)
  }
  return { type: 'object', properties, required, additionalProperties: false }
}
