/** Kontor extensions of the Workflow API: definitions, configurations, processes, tasks, jobs (JSON only). */
import { Issue } from './blocks.ts'
import {
  anyObject,
  anything,
  child,
  children,
  expects,
  leaf,
  leaves,
  map,
  matches,
  needsOneOf,
  required,
  safe,
  type,
} from './describe.ts'
import { LinkedObject } from './workflow.ts'

/** ISO 8601, as in P3D or PT4H. */
const durationPattern =
  '^P(?=[0-9]|T[0-9])([0-9]+Y)?([0-9]+M)?([0-9]+W)?([0-9]+D)?(T(?=[0-9])([0-9]+H)?([0-9]+M)?([0-9]+S)?)?$'
export const parameterTypes = ['string', 'double', 'integer', 'long', 'boolean', 'date', 'language'] as const
export const linkedTypes = ['file', 'product', 'peo', 'project', 'glossary'] as const
export const processStates = ['running', 'finished', 'cancelled', 'failed'] as const
export const taskStates = ['open', 'completed', 'cancelled'] as const
export const jobStates = ['waiting', 'done', 'failed', 'cancelled'] as const
export const jobKinds = ['service', 'timer', 'message'] as const

export const DefinitionFault = type('definitionFault', 'A fault of a BPMN file that prevents its execution.', {
  element: leaf('string', 'Id of the faulty element.'),
  name: leaf('string', 'Name of the element, if it has one.'),
  type: leaf('string', 'Type of the element: userTask, complexGateway, …'),
  reason: leaf('string', 'The fault, and how to correct it.'),
})
export const DefinitionDeployment = type('definitionDeployment', 'A BPMN 2.0 file to deploy or check.', {
  xml: required(leaf('string', 'Content of the file. The id of its process is the key of the definition.')),
  name: leaf('string', 'The display name. Default: the name of the process.'),
})
export const DefinitionCheck = type('definitionCheck', 'The faults of a BPMN file.', {
  key: leaf('string'),
  name: leaf('string'),
  faults: children(() => DefinitionFault),
})
export const WorkflowDefinition = type('workflowDefinition', 'One version of a BPMN process.', {
  id: safe(leaf('long')),
  key: leaf('string', 'Id of the process in the file. All versions have the same key.'),
  version: leaf('integer'),
  name: leaf('string'),
  latest: leaf('boolean', 'Whether this is the newest version.'),
  deployedAt: leaf('date'),
  deployedBy: leaf('string'),
  running: leaf('integer', 'Number of running processes with this version.'),
})
export const WorkflowDefinitionList = type('workflowDefinitionList', 'Workflow definitions.', {
  definitions: children(() => WorkflowDefinition),
})

export const ParameterRule = type('parameterRule', 'A parameter for starting the workflow.', {
  key: required(leaf('string')),
  type: required(leaf(parameterTypes)),
  name: leaf('string', 'The display name.'),
  required: leaf('boolean', 'Whether a start without this parameter is refused, if it has no default.'),
  multiple: leaf('boolean', 'Whether several values are allowed.'),
  defaultValues: leaves('string'),
  allowedValues: leaves('string'),
})
export const WorkflowConfiguration = type(
  'workflowConfiguration',
  'A workflow configuration: defines how to start a workflow.',
  {
    identifier: required(
      leaf('string', 'The identifier used to start the workflow, for example F.WorkflowConfig.DAM.'),
    ),
    name: leaf('string'),
    description: leaf('string'),
    definitionKey: required(leaf('string', 'Key of the definition.')),
    definitionVersion: leaf('integer', 'Version of the definition. Default: the newest.'),
    parameters: children(() => ParameterRule),
    linkedTypes: leaves(linkedTypes, 'Kinds of objects that can be linked. If empty, none.'),
    candidateRoles: leaves('string', 'Roles that receive tasks without assignee and candidates.'),
    deadline: matches(
      leaf('string', 'ISO 8601 duration until a task is due, unless the task defines its own.'),
      durationPattern,
    ),
    escalationRole: leaf(
      'string',
      'Role that is notified of overdue tasks, in addition to the assignees. Default admin.',
    ),
    enabled: leaf('boolean', 'Whether the workflow can be started. Default true.'),
  },
)
export const WorkflowConfigurationList = type('workflowConfigurationList', 'Workflow configurations.', {
  configurations: children(() => WorkflowConfiguration),
})

export const ProcessQuery = type('processQuery', 'A query for processes. All given criteria must match.', {
  states: leaves(processStates),
  configIdentifier: leaf('string'),
  definitionKey: leaf('string'),
  starter: leaf('string', 'Name of a user.'),
  linkedObject: child(() => LinkedObject, 'Processes linked to this object.'),
  startedAfter: leaf('date'),
  startedBefore: leaf('date'),
  overdue: leaf('boolean', 'true returns only processes with an overdue task.'),
  before: safe(leaf('long', 'Id of the last process of the previous page.')),
  count: expects(leaf('integer', 'Page size. Default 50; at most 1000 have an effect.'), 0),
})
export const WorkflowProcess = type('workflowProcess', 'A process: one execution of a workflow.', {
  id: safe(leaf('long')),
  tid: leaf('string', 'The identifier that the start returned.'),
  name: leaf('string', 'Name of the configuration.'),
  configIdentifier: leaf('string'),
  definitionId: safe(leaf('long')),
  definitionKey: leaf('string'),
  definitionVersion: leaf('integer'),
  state: leaf(processStates),
  starter: leaf('string'),
  startedAt: leaf('date'),
  endedAt: leaf('date'),
  problem: leaf('string', 'Why the process failed, was cancelled or is blocked.'),
  linkedObjects: children(() => LinkedObject),
  openTasks: leaf('integer'),
  failedJobs: leaf('integer'),
  nextDue: leaf('date', 'The earliest due date of its open tasks.'),
  activeElements: leaves('string', 'Ids of the active elements in the diagram.'),
})
export const ProcessList = type('processList', 'Processes, newest first.', {
  processes: children(() => WorkflowProcess),
  total: leaf('long', 'Total number on all pages.'),
})
export const ProcessEvent = type('processEvent', 'One step of a process.', {
  at: leaf('date'),
  element: leaf('string', 'Id of the element in the diagram.'),
  name: leaf('string'),
  type: leaf('string', 'Type of the element: userTask, exclusiveGateway, sequenceFlow, …'),
  event: leaf(
    'string',
    'For elements: entered, completed, discarded, taken, timer, error or message. For the process: started, finished or cancelled.',
  ),
  user: leaf('string', 'The user who caused the step.'),
  text: leaf('string'),
})
export const WorkflowProcessDetails = type('workflowProcessDetails', 'A process with all its details.', {
  process: child(() => WorkflowProcess),
  variables: anything('The variables of the process: parameters, form values, results of jobs.'),
  tasks: children(() => WorkflowTask),
  jobs: children(() => WorkflowJob),
  history: children(() => ProcessEvent, 'The first 10,000 steps, oldest first.'),
  doneElements: leaves('string', 'Ids of completed elements.'),
  takenFlows: leaves('string', 'Ids of taken sequence flows.'),
})
export const ProcessMessage = type('processMessage', 'A message or signal for waiting processes.', {
  name: required(leaf('string', 'Name of the message or signal in the definition.')),
  processIds: safe(leaves('long', 'Only these processes. Default: all waiting processes.')),
  values: anyObject('Its properties become variables of the process.'),
})
export const ProcessChange = type('processChange', 'Processes to cancel or delete.', {
  ids: required(expects(safe(leaves('long')), 1, 1000)),
  reason: leaf('string'),
})

export const FormField = type('formField', 'A form field of a task.', {
  key: required(leaf('string')),
  name: leaf('string'),
  type: leaf(parameterTypes),
  required: leaf('boolean'),
  multiple: leaf('boolean'),
  allowedValues: leaves('string'),
  defaultValue: leaf('string'),
})
export const TaskComment = type('taskComment', 'A comment on a task.', {
  at: leaf('date'),
  user: leaf('string'),
  text: required(leaf('string')),
})
export const WorkflowTask = type('workflowTask', 'A task for a person.', {
  id: safe(leaf('long')),
  processId: safe(leaf('long')),
  processName: leaf('string'),
  configIdentifier: leaf('string'),
  element: leaf('string', 'Id of the element in the diagram.'),
  name: leaf('string'),
  description: leaf('string'),
  item: leaf('string', 'The item of a task that exists once per item, for example a locale.'),
  state: leaf(taskStates),
  assignee: leaf('string', 'The user to whom the task is assigned. Absent if nobody has claimed it.'),
  candidateUsers: leaves('string'),
  candidateRoles: leaves('string'),
  priority: leaf('integer', '0 to 100, default 50.'),
  dueDate: leaf('date'),
  overdue: leaf('boolean'),
  createdAt: leaf('date'),
  claimedAt: leaf('date'),
  endedAt: leaf('date'),
  completedBy: leaf('string'),
  form: children(() => FormField),
  values: anything('The values entered in the form.'),
  linkedObjects: children(() => LinkedObject),
  comments: children(() => TaskComment),
})
export const TaskQuery = type('taskQuery', 'A query for tasks. All given criteria must match.', {
  scope: leaf(
    ['mine', 'candidate', 'inbox', 'all'],
    'mine: tasks assigned to you. candidate: unassigned tasks for you or your roles. inbox (default): both. all: all tasks that you may see.',
  ),
  states: leaves(taskStates, 'Default open.'),
  assignee: leaf('string'),
  processIds: safe(leaves('long')),
  configIdentifier: leaf('string'),
  overdue: leaf('boolean'),
  dueBefore: leaf('date'),
  linkedObject: child(() => LinkedObject),
  sort: leaf(['dueDate', 'priority', 'newest'], 'Default newest.'),
  offset: expects(leaf('integer', 'Number of tasks to skip.'), 0, 10_000),
  count: expects(leaf('integer', 'Page size. Default 50; at most 1000 have an effect.'), 0),
})
export const TaskList = type('taskList', 'Tasks.', {
  tasks: children(() => WorkflowTask),
  total: leaf('long', 'Total number on all pages.'),
})
export const TaskIds = type('taskIds', 'Tasks.', { ids: required(expects(safe(leaves('long')), 1, 1000)) })
export const TaskCompletion = type('taskCompletion', 'A task to complete.', {
  id: required(safe(leaf('long'))),
  values: anyObject('The values of the form, by key.'),
  comment: leaf('string'),
})
export const TaskCompletions = type('taskCompletions', 'Tasks to complete.', {
  tasks: required(
    expects(
      children(() => TaskCompletion),
      1,
      1000,
    ),
  ),
})
export const TaskDelegation = type('taskDelegation', 'Tasks to delegate to another user.', {
  ids: required(expects(safe(leaves('long')), 1, 1000)),
  assignee: required(leaf('string', 'Name of a user.')),
  comment: leaf('string'),
})
export const TaskPeople = type('taskPeople', 'People who can do a task.', {
  users: leaves('string', 'Names of enabled users, at most 200, in alphabetical order.'),
})
export const TaskChange = needsOneOf(
  type('taskChange', 'Changes to tasks.', {
    ids: required(expects(safe(leaves('long')), 1, 1000)),
    priority: expects(leaf('integer'), 0, 100),
    dueDate: leaf('date'),
  }),
  'priority',
  'dueDate',
)

export const WorkflowJob = type('workflowJob', 'A job for the system.', {
  id: safe(leaf('long')),
  processId: safe(leaf('long')),
  element: leaf('string', 'Id of the element in the diagram.'),
  name: leaf('string'),
  kind: leaf(jobKinds, 'A service task, a timer or an expected message.'),
  job: leaf('string', 'The job type: setValue, callWebhook, … For a message: its name.'),
  item: leaf('string'),
  state: leaf(jobStates),
  attempts: leaf('integer'),
  runAt: leaf('date'),
  endedAt: leaf('date'),
  problem: leaf('string', 'The error of the last attempt.'),
})
export const JobQuery = type('jobQuery', 'A query for jobs. All given criteria must match.', {
  states: leaves(jobStates),
  kinds: leaves(jobKinds),
  processIds: safe(leaves('long')),
  before: safe(leaf('long', 'Id of the last job of the previous page.')),
  count: expects(leaf('integer', 'Page size. Default 50; at most 1000 have an effect.'), 0),
})
export const JobList = type('jobList', 'Jobs, newest first.', {
  jobs: children(() => WorkflowJob),
  total: leaf('long', 'Total number on all pages.'),
})
export const JobIds = type('jobIds', 'Jobs.', { ids: required(expects(safe(leaves('long')), 1, 1000)) })
export const JobType = type('jobType', 'A job type that service tasks can use.', {
  job: leaf('string'),
  doc: leaf('string'),
  inputs: map('Descriptions of the inputs, by name.'),
})
export const JobTypeList = type('jobTypeList', 'Job types that service tasks can use.', {
  jobs: children(() => JobType),
})

export const ItemResult = type('itemResult', 'The result for one process, task or job.', {
  id: safe(leaf('long')),
  status: leaf(['success', 'error']),
  issues: children(() => Issue),
})

export const WorkflowCount = type('workflowCount', 'The numbers of processes, tasks and jobs of a workflow.', {
  configIdentifier: leaf('string'),
  name: leaf('string'),
  running: leaf('integer'),
  finished: leaf('integer'),
  cancelled: leaf('integer'),
  failed: leaf('integer'),
  openTasks: leaf('integer'),
  overdueTasks: leaf('integer'),
  failedJobs: leaf('integer'),
  averageSeconds: leaf('long', 'Average duration of finished processes.'),
})
export const WorkflowStatistics = type('workflowStatistics', 'Workflow statistics.', {
  workflows: children(() => WorkflowCount),
  myOpenTasks: leaf('integer', 'Number of open tasks in your inbox.'),
  myOverdueTasks: leaf('integer'),
})
