/** Rules: the routes, and the job that starts their runs. */
export { ruleRoutes } from './rules.ts'
export { describeRules } from './rules.sql.ts'
export { ruleJobs, type RuleNeeds, ruleTimes } from './runs.ts'
