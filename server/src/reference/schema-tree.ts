/** Schemas as expandable trees, and a list of all types for deeper levels. */
import type { Schema } from '@kontor/contract'
import { html, type Html } from '../core/http/html.ts'
import { inline, joined } from './markdown.ts'

export type Schemas = Readonly<Record<string, Schema>>
const inlineDepth = 3
/** A type with more parts than this (the whole envelope) is not expanded in place. */
const mostParts = 10

const nameOf = ({ $ref }: Schema) => $ref?.split('/').at(-1)

/** The schema of a body: envelopes and containers are expanded down to the objects, whose parts link to their types. */
export function schemaTree(schemas: Schemas, schema: Schema): Html {
  if (schema.oneOf) {
    return joined(
      schema.oneOf.map((one, i) => html`${i > 0 ? html`<p class="or">or</p>` : undefined}${schemaTree(schemas, one)}`),
    )
  }
  const name = nameOf(schema)
  const { properties, description } = name === undefined ? schema : schemas[name]!
  const parts = Object.values(properties ?? {}).filter((part) => nameOf(part.items ?? part))
  if (!properties || (!schema.required && parts.length > mostParts)) {
    return html`<p class="tree">${typeName(schema)} <span>${inline(description)}</span></p>`
  }
  // Next to a reference, `required` lists the parts that this call uses.
  const visible = name === undefined || !schema.required ? undefined : new Set(['meta', ...schema.required])
  const { length } = Object.keys(properties)
  const rest = visible && length > visible.size ? html`<li><a href="#type-${name}">all of ${name}</a></li>` : undefined
  return html`<ul class="tree">
    ${fieldsOf(schemas, schemas[name ?? ''] ?? schema, 1, visible)}${rest}
  </ul>`
}

function fieldsOf(
  schemas: Schemas,
  { properties = {}, required = [] }: Schema,
  depth: number,
  visible?: ReadonlySet<string>,
): Html {
  const fields = Object.entries(properties).filter(([name]) => !visible || visible.has(name) || required.includes(name))
  return joined(fields.map(([name, field]) => fieldOf(schemas, name, field, required.includes(name), depth)))
}

function fieldOf(schemas: Schemas, name: string, field: Schema, isRequired: boolean, depth: number): Html {
  const target = nameOf(field.items ?? field)
  const inside = target === undefined || target === 'meta' || depth >= inlineDepth ? undefined : schemas[target]
  const head = html`<b>${name}</b> ${typeName(field, !inside)}${marks(field, isRequired)}
    <span>${inline(field.description ?? inside?.description)}</span>`
  if (!inside) return html`<li>${head}</li>`
  return html`<li>
    <details open>
      <summary>${head}</summary>
      <ul>
        ${fieldsOf(schemas, inside, depth + 1)}
      </ul>
    </details>
  </li>`
}

function marks({ deprecated, xml }: Schema, isRequired: boolean): Html {
  const words = [
    isRequired && 'required',
    deprecated && 'deprecated',
    xml?.attribute && 'attribute',
    xml?.['x-text'] && 'text',
  ]
  return joined(words.filter((word) => typeof word === 'string').map((word) => html` <em class="${word}">${word}</em>`))
}

/** A link, unless the type is expanded in place. */
function typeName(schema: Schema, isLinked = true): Html {
  const name = nameOf(schema)
  if (name !== undefined) return isLinked ? html`<i><a href="#type-${name}">${name}</a></i>` : html`<i>${name}</i>`
  if (schema.items) return html`<i>list of</i> ${typeName(schema.items, isLinked)}`
  if (schema.enum) return html`<i>${schema.enum.join(' | ')}</i>`
  if (typeof schema.additionalProperties === 'object') return html`<i>map of texts</i>`
  return html`<i>${schema.format ?? schema.type ?? 'any value'}</i>`
}

/** All types, collapsed; a link to a type expands it. The trees show the JSON form, so compact forms are left out. */
export function typeList(schemas: Schemas): Html {
  const inJson = Object.entries(schemas).filter(([name]) => !name.startsWith('compact.'))
  const byName = inJson.sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  return joined(
    byName.map(
      ([name, schema]) =>
        html`<details class="type" data-text="${name.toLowerCase()}">
          <summary><b id="type-${name}">${name}</b> <span>${inline(schema.description)}</span></summary>
          <ul class="tree">
            ${fieldsOf(schemas, schema, inlineDepth)}
          </ul>
        </details>`,
    ),
  )
}
