/** Functions of changes that other areas may call. */
export { show as showChange } from './changes.ts'
export {
  addNamed,
  begin,
  type ChangeRow,
  countItems,
  deleteChange,
  findChange,
  insertChange,
  lastOfRules,
  listOfRule,
  runningRules,
} from './changes.sql.ts'
export { type ChangeNeeds, type Kind, readerOf } from './needs.ts'
export { loadDefinitions, type Operation, type Plan, planOf } from './operations.ts'
export { changeJob } from './run.ts'
export type { Slot } from './slots.ts'
