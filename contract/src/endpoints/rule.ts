/** Rules: operations on all objects that match a condition. */
import { area, nextPage, whole } from '../endpoint.ts'
import { Change, ChangeList } from '../schema/change.ts'
import { Rule, RuleList } from '../schema/rule.ts'

const read = { access: 'user', formats: 'json', own: true, needs: { action: 'read' } } as const
const write = { access: 'user', formats: 'json', own: true, needs: { action: 'update' } } as const

// prettier-ignore
export const rule = area({
  base: '/api/v1/rules',
  doc: 'Rules that fill attributes, categorise, place and link objects: by hand, on change or by a schedule. You see your own rules; administrators see all.',
  resources: {},
  routes: {
    listRules:    { ...read, doc: 'Lists your rules by name, with their last runs.', method: 'GET', path: '', reply: RuleList, statuses: [200, 400, 401],
                    query: { after: nextPage.id, count: whole('Page size. Default 500.', 1, 1000) } },
    getRule:      { ...read, doc: 'Returns one rule.', method: 'GET', path: '/{name}', reply: Rule, statuses: [200, 401, 404] },
    putRule:      { ...write, doc: 'Creates or replaces a rule, and checks its attributes, types and order: a rule that reads what it changes, also by way of other rules, is refused. You are the owner of a new rule. An administrator who replaces the rule of a user who is gone or disabled takes it over.', method: 'PUT', path: '/{name}', request: Rule, reply: Rule, statuses: [200, 400, 401, 403, 404, 409] },
    deleteRule:   { ...write, doc: 'Deletes a rule. Its runs remain and can be undone.', method: 'DELETE', path: '/{name}', statuses: [200, 401, 404] },
    runRule:      { ...write, doc: 'Runs a rule now on all objects that match.', method: 'POST', path: '/{name}/run', reply: Change, statuses: [200, 400, 401, 403, 404, 409] },
    previewRule:  { ...write, doc: 'Previews a rule on all objects that match, without effect. /api/v1/changes lists the objects with values before and after.', method: 'POST', path: '/{name}/preview', reply: Change, statuses: [200, 400, 401, 403, 404, 409] },
    listRuleRuns: { ...read, doc: 'Lists the runs and previews of a rule, newest first.', method: 'GET', path: '/{name}/runs', reply: ChangeList, statuses: [200, 400, 401, 404, 410],
                    query: { after: nextPage.id, count: whole('Page size. Default 50.', 1, 500) } },
  },
})
