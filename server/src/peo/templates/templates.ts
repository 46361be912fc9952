/**
 * Templates: which attributes a product extension object has and how they behave. The list of templates, and the
 * administrators' /peo/admin/templates.
 *
 *   <template tid="Print"><name>Print</name><meta>
 *     <itm key="attribute.PRICE">overridden,required</itm>      the object's value, else the product's; one must exist
 *     <itm key="attribute.NAME">inherited</itm>                 always the product's
 *     <itm key="attribute.COST">hidden</itm>                    not in the output
 *   </meta></template>
 */
import { type Infer, type peo, schemaVersion, type Template } from '@kontor/contract'
import { type ItemValue, mergeMeta, toMeta } from '../../common/api.ts'
import { type Rights, rightsAnywhere } from '../../core/access/permissions.ts'
import type { Handlers } from '../../core/batch/handlers.ts'
import { newName } from '../../core/batch/names.ts'
import { replyMeta } from '../../core/http/reply.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { upsert, type UpsertRules } from '../../core/batch/upsert.ts'
import { Problem } from '../../errors.ts'
import * as rows from './templates.sql.ts'

type TemplateMessage = Infer<typeof Template>
const prefix = 'attribute.'
const modes = ['inherited', 'overridden', 'hidden'] as const

export const listTemplates: RouteHandler<typeof peo.routes.listTemplates> = async ({ db, config, caller }) => ({
  schemaVersion,
  meta: replyMeta(config, { itemInformationType: 'template' }),
  templates: {
    template: (await rows.findTemplates(db)).map((row) =>
      toMessage(row, rightsAnywhere(caller.permissions, 'template')),
    ),
  },
})

function toMessage({ id, tid, name, attributes, meta }: rows.TemplateRow, rights: Rights): TemplateMessage {
  const behaviours = Object.entries(attributes).map(([attr, { mode, required }]) => ({
    value: required ? `${mode},required` : mode,
    key: prefix + attr,
  }))
  return { name, meta: toMeta({}, [...behaviours, ...meta], rights), tid, id }
}

export const templateAdmin: Handlers<(typeof peo.resources)['admin/templates']> = {
  persist: (ctx, objects) => {
    const { userName } = ctx.caller
    const rules: UpsertRules<TemplateMessage, rows.TemplateRow> = {
      dataType: 'template',
      load: (db) => rows.findTemplates(db),
      create: (item, { id, tid }) => ({ id, tid, name: newName('name', item.name), ...contentOf(item) }),
      change: (item, row) => ({
        ...row,
        name: newName('name', item.name, row.name),
        ...contentOf(item, row),
      }),
      insert: (db, set) => rows.insertTemplates(db, set, userName),
      update: (db, set) => rows.updateTemplates(db, set, userName),
      facts: ({ name, attributes, meta }) => ({ name, attributes, meta }),
    }
    return upsert(ctx, rules, objects)
  },
}

function contentOf(
  { meta }: TemplateMessage,
  stored?: rows.TemplateRow,
): Pick<rows.TemplateRow, 'attributes' | 'meta'> {
  const attributes = { ...stored?.attributes }
  const others: ItemValue[] = []
  for (const item of meta?.itm ?? []) {
    if (!item.key?.startsWith(prefix)) others.push(item)
    else if (!item.value) delete attributes[item.key.slice(prefix.length)]
    else attributes[item.key.slice(prefix.length)] = toBehaviour(item.key, item.value)
  }
  return { attributes, meta: mergeMeta(stored?.meta ?? [], { itm: others }, new Set()) }
}

function toBehaviour(key: string, text: string): rows.Behaviour {
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.find((word) => word !== 'required' && !modes.some((mode) => mode === word))
  if (unknown !== undefined)
    throw new Problem('invalid', `meta ${key}: unknown behaviour ${unknown}; expected ${modes.join(', ')}, required`)
  return { mode: modes.find((mode) => words.includes(mode)) ?? 'overridden', required: words.includes('required') }
}
