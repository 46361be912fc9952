/** Lists of words that the database repeats are those of the contract: a CHECK constraint cannot import them. */
import {
  assetTypes,
  attributeOptions,
  attributeRestrictions,
  attributeTypes,
  jobKinds,
  jobStates,
  linkKinds as contractLinkKinds,
  processStates,
  severities,
  taskStates,
  transferFormats,
} from '@kontor/contract'
import { expect, test } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import { linkKinds } from '../src/common/api.ts'
import { withServer } from './server.ts'

const api = withServer()

// prettier-ignore
const constraints: [name: string, words: readonly string[]][] = [
  ['attr_def_type_check',                attributeTypes],
  ['dam_attr_def_type_check',            attributeTypes],
  ['dam_entry_type_check',               assetTypes],
  ['message_severity_check',             severities],
  ['node_attribute_option_check',        attributeOptions],
  ['node_attribute_restriction_check',   attributeRestrictions],
  ['transfer_format_check',              transferFormats],
  ['workflow_job_kind_check',            jobKinds],
  ['workflow_job_state_check',           jobStates],
  ['workflow_process_state_check',       processStates],
  ['workflow_task_state_check',          taskStates],
]

test.each(constraints)('%s allows the words of the contract and no others', async (name, words) => {
  const found = await api.db.row<{ definition: string }>(
    sql`select pg_get_constraintdef(oid) as definition from pg_constraint where conname = ${name}`,
  )
  const allowed = [...found!.definition.matchAll(/'([^']*)'::text/g)].map(([, word]) => word)
  expect(allowed.toSorted()).toEqual([...words].toSorted())
})

test('every kind of link of the contract has its two ends, and there are no others', () => {
  expect([...linkKinds.keys()]).toEqual(contractLinkKinds)
})
