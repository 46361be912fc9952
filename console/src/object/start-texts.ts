/** Texts of the form that starts a workflow. */
import { defineTexts } from '../ui/language.tsx'

export const texts = defineTexts('start', {
  start: 'Start',
  startTitle: 'Start “{name}”',
  workflow: 'Workflow',
  startWorkflow: 'Start workflow',
  noWorkflows: 'No workflow is made for these objects.',
  objects_file: 'Files',
  objects_product: 'Products',
  objects_peo: 'Channel texts',
  objects_project: 'Channels',
  objects_glossary: 'Glossaries',
  together: 'All in one process',
  objectKind: 'Object type',
  started: { one: '{count} process started', other: '{count} processes started' },
})
