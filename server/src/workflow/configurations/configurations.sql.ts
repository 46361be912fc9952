/** All SQL for workflow configurations. */
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'
import type { ValueType } from '../value-types.ts'

export interface Parameter {
  readonly key: string
  readonly type: ValueType
  readonly name?: string
  readonly required?: boolean
  readonly multiple?: boolean
  readonly defaultValues?: readonly string[]
  readonly allowedValues?: readonly string[]
}

export interface ConfigurationRow {
  readonly identifier: string
  readonly name: string
  readonly description: string
  readonly definitionKey: string
  readonly definitionVersion: number | null
  readonly parameters: readonly Parameter[]
  readonly linkedTypes: readonly string[]
  readonly candidateRoles: readonly string[]
  readonly deadline: string | null
  readonly escalationRole: string | null
  readonly enabled: boolean
}

export const listConfigurations = (db: Db, identifier?: string) =>
  db.rows<ConfigurationRow>(sql`
    select identifier, name, description, definition_key as "definitionKey", definition_version as "definitionVersion",
           parameters, linked_types as "linkedTypes", candidate_roles as "candidateRoles", deadline,
           escalation_role as "escalationRole", enabled
    from workflow_configuration ${identifier === undefined ? nothing : sql`where identifier = ${identifier}`}
    order by identifier`)

/** With `keep`, an existing configuration is left unchanged. */
export const upsertConfiguration = (db: Db, row: ConfigurationRow, userName: string, keep = false) =>
  db.run(sql`
    insert into workflow_configuration (identifier, name, description, definition_key, definition_version, parameters,
      linked_types, candidate_roles, deadline, escalation_role, enabled, changed_by)
    values (${row.identifier}, ${row.name}, ${row.description}, ${row.definitionKey}, ${row.definitionVersion},
      ${JSON.stringify(row.parameters)}::jsonb, ${row.linkedTypes}, ${row.candidateRoles}, ${row.deadline},
      ${row.escalationRole}, ${row.enabled}, ${userName})
    on conflict (identifier) ${
      keep
        ? sql`do nothing`
        : sql`do update set name = excluded.name, description = excluded.description,
            definition_key = excluded.definition_key, definition_version = excluded.definition_version,
            parameters = excluded.parameters, linked_types = excluded.linked_types,
            candidate_roles = excluded.candidate_roles, deadline = excluded.deadline,
            escalation_role = excluded.escalation_role, enabled = excluded.enabled,
            changed_at = now(), changed_by = excluded.changed_by`
    }`)

export const deleteConfiguration = (db: Db, identifier: string) =>
  db.run(sql`delete from workflow_configuration where identifier = ${identifier}`)
