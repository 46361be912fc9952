/**
 * Rules of /workflow/configurations. A start names a configuration. The configuration determines which definition runs,
 * which objects may be linked, which parameters exist, and the defaults for tasks.
 */
import type { Infer, linkedTypes, workflow, WorkflowConfiguration } from '@kontor/contract'
import { inBatch } from '../../core/batch/batch.ts'
import { cleanName, newName } from '../../core/batch/names.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { findVersion } from '../definitions/definitions.sql.ts'
import { isDuration } from '../time.ts'
import { isVariable, readValues } from '../value-types.ts'
import * as rows from './configurations.sql.ts'

type Value = Infer<typeof WorkflowConfiguration>
type Routes = Pick<typeof workflow.routes, 'listConfigurations' | 'persistConfiguration' | 'deleteConfiguration'>

export const configurations: RouteHandlers<Routes> = {
  listConfigurations: async ({ db }) => ({ configurations: (await rows.listConfigurations(db)).map(toMessage) }),

  async persistConfiguration(_, { body, caller, services }) {
    const row = toRow(body)
    return inBatch(services, caller, async ({ db }) => {
      if (!(await findVersion(db, row.definitionKey, row.definitionVersion))) {
        const version = row.definitionVersion === null ? '' : ` in version ${row.definitionVersion}`
        throw new Problem(
          'notFound',
          `definitionKey: no definition has the key ${row.definitionKey}${version}; deploy it first`,
        )
      }
      await rows.upsertConfiguration(db, row, caller.userName)
      return toMessage(row)
    })
  },

  deleteConfiguration: (_, { params: { identifier = '' }, caller, services }) =>
    inBatch(services, caller, async ({ db }) => {
      if ((await rows.deleteConfiguration(db, identifier)) > 0) return
      throw new Problem('notFound', `no workflow configuration has the identifier ${identifier}`)
    }),
}

function toRow(value: Value): rows.ConfigurationRow {
  const { deadline } = value
  if (deadline !== undefined && !isDuration(deadline)) {
    throw new Problem('invalid', `deadline: "${deadline}" is not an ISO 8601 duration like P3D or PT4H`)
  }
  const identifier = newName('identifier', value.identifier)
  const parameters = value.parameters ?? []
  const faults = parameters.flatMap(faultsOf)
  const keys = parameters.map(({ key }) => key)
  const twice = keys.find((key, i) => keys.indexOf(key) < i)
  if (twice !== undefined) faults.push(`parameters: ${twice} is defined twice`)
  if (faults.length > 0) throw new Problem('invalid', faults)
  return {
    identifier,
    name: value.name === undefined ? identifier : newName('name', value.name),
    description: value.description ?? '',
    definitionKey: cleanName('definitionKey', value.definitionKey),
    definitionVersion: value.definitionVersion ?? null,
    parameters,
    linkedTypes: value.linkedTypes ?? [],
    candidateRoles: value.candidateRoles ?? [],
    deadline: deadline ?? null,
    escalationRole: value.escalationRole ?? null,
    enabled: value.enabled ?? true,
  }
}

function faultsOf(parameter: rows.Parameter): string[] {
  const { key, type, multiple = false, defaultValues = [], allowedValues = [] } = parameter
  if (!isVariable(key)) return [`parameters: ${key} cannot be a name; use letters, digits and _, and no reserved word`]
  const read = readValues({ key, type, multiple, allowedValues }, defaultValues)
  return 'fault' in read ? [`parameters: the default of ${read.fault}`] : []
}

function toMessage({ definitionVersion, deadline, escalationRole, ...row }: rows.ConfigurationRow): Value {
  return {
    ...row,
    parameters: row.parameters.map((parameter) => ({
      ...parameter,
      defaultValues: [...(parameter.defaultValues ?? [])],
      allowedValues: [...(parameter.allowedValues ?? [])],
    })),
    linkedTypes: [...row.linkedTypes] as (typeof linkedTypes)[number][],
    candidateRoles: [...row.candidateRoles],
    ...(definitionVersion !== null && { definitionVersion }),
    ...(deadline !== null && { deadline }),
    ...(escalationRole !== null && { escalationRole }),
  }
}
