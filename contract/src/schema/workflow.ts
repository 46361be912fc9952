/** The Workflow API (JSON only): starting workflows, and the result of each start. */
import { Issue } from './blocks.ts'
import { children, expects, leaf, leaves, required, type } from './describe.ts'

export const LinkedObject = type('linkedObject', 'An object of a workflow, by id or tid.', {
  tid: leaf('string'),
  id: leaf('long'),
  type: leaf('string', 'file, product, peo, project or glossary.'),
})

export const WorkflowParameter = type('workflowParameter', 'A parameter of a workflow start.', {
  key: leaf('string', 'Key of a parameter of the workflow configuration.'),
  type: leaf('string', 'string, double, integer, long, boolean, date or language.'),
  values: leaves('string', 'Always a list. Dates look like 2024-03-05T08:00:00.000+0100.'),
})

export const ProcessStartRequest = type('processStartRequest', 'One workflow to start.', {
  linkedObjects: children(() => LinkedObject),
  parameters: children(() => WorkflowParameter),
})

export const BulkStartRequest = type('bulkStartRequest', 'Workflows to start with one configuration.', {
  configIdentifier: required(
    leaf('string', 'Identifier of a workflow configuration, for example F.WorkflowConfig.DAM.'),
  ),
  processStartRequests: required(
    expects(
      children(() => ProcessStartRequest),
      1,
      1000,
    ),
  ),
})

const startStatus = ['success', 'error'] as const

export const ResponseDto = type('responseDto', 'The result of one workflow start.', {
  tid: leaf('string', 'Identifier of the started process.'),
  status: leaf(startStatus),
  dataType: leaf('string', 'Always workflow.'),
  issues: children(() => Issue),
})
