/** What the Workflow API offers beyond the start: definitions, configurations, processes, tasks, jobs. In JSON alone. */
import { Issue } from './blocks.ts'
import { anything, child, children, leaf, leaves, map, required, type } from './describe.ts'
import { LinkedObject } from './workflow.ts'

export const parameterTypes = ['string', 'double', 'integer', 'long', 'boolean', 'date', 'language'] as const
export const linkedTypes = ['file', 'product', 'peo', 'project', 'glossary'] as const
export const processStates = ['running', 'finished', 'cancelled', 'failed'] as const
export const taskStates = ['open', 'completed', 'cancelled'] as const
export const jobStates = ['waiting', 'done', 'failed', 'cancelled'] as const
export const jobKinds = ['service', 'timer', 'message'] as const

export const DefinitionFault = type('definitionFault', 'Why a BPMN file cannot be run.', {
  element: leaf('string', 'Id of the element at fault.'),
  name: leaf('string', 'Its name, when it has one.'),
  type: leaf('string', 'What it is: userTask, complexGateway, …'),
  reason: leaf('string', 'What is wrong with it, and what to do.'),
})
export const DefinitionDeployment = type('definitionDeployment', 'A BPMN 2.0 file to deploy or to check.', {
  xml: required(leaf('string', 'The file. The id of its process is the key of the definition.')),
  name: leaf('string', 'What people call it; the name of the process when absent.'),
})
export const DefinitionCheck = type('definitionCheck', 'Whether a BPMN file can be run.', {
  key: leaf('string'),
  name: leaf('string'),
  faults: children(() => DefinitionFault),
})
export const WorkflowDefinition = type('workflowDefinition', 'One version of a BPMN process.', {
  id: leaf('long'),
  key: leaf('string', 'Id of the process in the file; the same for all versions.'),
  version: leaf('integer'),
  name: leaf('string'),
  latest: leaf('boolean', 'Whether it is the newest version of its key.'),
  deployedAt: leaf('date'),
  deployedBy: leaf('string'),
  running: leaf('integer', 'Processes that run by it.'),
})
export const WorkflowDefinitionList = type('workflowDefinitionList', 'Definitions of workflows.', {
  definitions: children(() => WorkflowDefinition),
})

export const ParameterRule = type('parameterRule', 'A parameter that a start of the workflow may set.', {
  key: required(leaf('string')),
  type: required(leaf(parameterTypes)),
  name: leaf('string', 'What people call it.'),
  required: leaf('boolean', 'Whether a start without it is refused, when it has no default.'),
  multiple: leaf('boolean', 'Whether it may have several values.'),
  defaultValues: leaves('string'),
  allowedValues: leaves('string'),
})
export const WorkflowConfiguration = type('workflowConfiguration', 'How a workflow can be started.', {
  identifier: required(leaf('string', 'What a start names, for example F.WorkflowConfig.DAM.')),
  name: leaf('string'),
  description: leaf('string'),
  definitionKey: required(leaf('string', 'The definition that is run.')),
  definitionVersion: leaf('integer', 'Of it, this version; the newest when absent.'),
  parameters: children(() => ParameterRule),
  linkedTypes: leaves(linkedTypes, 'What may be linked; nothing when empty.'),
  candidateRoles: leaves('string', 'Who gets tasks that name nobody.'),
  deadline: leaf('string', 'ISO 8601 duration in which a task is due that says nothing else.'),
  escalationRole: leaf('string', 'Who is told of overdue tasks besides those who have them; admin when absent.'),
  enabled: leaf('boolean', 'Whether it can be started. Default true.'),
})
export const WorkflowConfigurationList = type('workflowConfigurationList', 'Configurations of workflows.', {
  configurations: children(() => WorkflowConfiguration),
})

export const ProcessQuery = type('processQuery', 'Which processes. What is absent does not narrow.', {
  states: leaves(processStates),
  configIdentifier: leaf('string'),
  definitionKey: leaf('string'),
  starter: leaf('string', 'Name of a user.'),
  linkedObject: child(() => LinkedObject, 'Processes about this object.'),
  startedAfter: leaf('date'),
  startedBefore: leaf('date'),
  overdue: leaf('boolean', 'Only those with an overdue task.'),
  before: leaf('long', 'For the next page: the id of the last process of this one.'),
  count: leaf('integer', 'Default 50, at most 1000.'),
})
export const WorkflowProcess = type('workflowProcess', 'A process: one run of a workflow.', {
  id: leaf('long'),
  tid: leaf('string', 'What its start answered.'),
  name: leaf('string', 'The name of its configuration.'),
  configIdentifier: leaf('string'),
  definitionId: leaf('long'),
  definitionKey: leaf('string'),
  definitionVersion: leaf('integer'),
  state: leaf(processStates),
  starter: leaf('string'),
  startedAt: leaf('date'),
  endedAt: leaf('date'),
  problem: leaf('string', 'Why it failed, was cancelled, or does not go on.'),
  linkedObjects: children(() => LinkedObject),
  openTasks: leaf('integer'),
  failedJobs: leaf('integer'),
  nextDue: leaf('date', 'When the first of its open tasks is due.'),
  activeElements: leaves('string', 'Where it stands in the diagram: ids of elements.'),
})
export const ProcessList = type('processList', 'Processes, newest first.', {
  processes: children(() => WorkflowProcess),
  total: leaf('long', 'How many there are without the page.'),
})
export const ProcessEvent = type('processEvent', 'A step that a process took.', {
  at: leaf('date'),
  element: leaf('string', 'Id of the element of the diagram.'),
  name: leaf('string'),
  type: leaf('string', 'What it is: userTask, exclusiveGateway, sequenceFlow, …'),
  event: leaf('string', 'entered, completed, discarded, taken, timer, error, message; started, finished, cancelled.'),
  user: leaf('string', 'Who caused it.'),
  text: leaf('string'),
})
export const WorkflowProcessDetails = type('workflowProcessDetails', 'A process with everything about it.', {
  process: child(() => WorkflowProcess),
  variables: anything('What it knows: parameters, values of forms, results of jobs.'),
  tasks: children(() => WorkflowTask),
  jobs: children(() => WorkflowJob),
  history: children(() => ProcessEvent, 'Oldest first; the first ten thousand.'),
  doneElements: leaves('string', 'Ids of elements that were completed.'),
  takenFlows: leaves('string', 'Ids of sequence flows that were taken.'),
})
export const ProcessMessage = type('processMessage', 'A message or signal for processes that wait for it.', {
  name: required(leaf('string', 'Name of the message or signal in the definition.')),
  processIds: leaves('long', 'Only these; all that wait for it when absent.'),
  values: anything('An object: becomes variables of the process.'),
})
export const ProcessChange = type('processChange', 'Processes to cancel or to delete.', {
  ids: required(leaves('long')),
  reason: leaf('string'),
})

export const FormField = type('formField', 'A value that a task asks for.', {
  key: required(leaf('string')),
  name: leaf('string'),
  type: leaf(parameterTypes),
  required: leaf('boolean'),
  multiple: leaf('boolean'),
  allowedValues: leaves('string'),
  defaultValue: leaf('string'),
})
export const TaskComment = type('taskComment', 'What somebody said about a task.', {
  at: leaf('date'),
  user: leaf('string'),
  text: required(leaf('string')),
})
export const WorkflowTask = type('workflowTask', 'Something for a person to do.', {
  id: leaf('long'),
  processId: leaf('long'),
  processName: leaf('string'),
  configIdentifier: leaf('string'),
  element: leaf('string', 'Id of the element of the diagram.'),
  name: leaf('string'),
  description: leaf('string'),
  item: leaf('string', 'Of a task that exists once per item: which, for example a locale.'),
  state: leaf(taskStates),
  assignee: leaf('string', 'Whose it is; nobody has claimed it when absent.'),
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
  values: anything('What was answered.'),
  linkedObjects: children(() => LinkedObject),
  comments: children(() => TaskComment),
})
export const TaskQuery = type('taskQuery', 'Which tasks. What is absent does not narrow.', {
  scope: leaf(
    ['mine', 'candidate', 'inbox', 'all'],
    'Mine: assigned to me. Candidate: unassigned, for me or my roles. Inbox: both, the default. All: every one I may see.',
  ),
  states: leaves(taskStates, 'Default open.'),
  assignee: leaf('string'),
  processIds: leaves('long'),
  configIdentifier: leaf('string'),
  overdue: leaf('boolean'),
  dueBefore: leaf('date'),
  linkedObject: child(() => LinkedObject),
  sort: leaf(['dueDate', 'priority', 'newest'], 'Default newest.'),
  offset: leaf('integer', 'How many to pass over; at most 10000.'),
  count: leaf('integer', 'Default 50, at most 1000.'),
})
export const TaskList = type('taskList', 'Tasks.', {
  tasks: children(() => WorkflowTask),
  total: leaf('long', 'How many there are without the page.'),
})
export const TaskIds = type('taskIds', 'Tasks.', { ids: required(leaves('long')) })
export const TaskCompletion = type('taskCompletion', 'A task that is done.', {
  id: required(leaf('long')),
  values: anything('An object: the values that its form asks for, by key.'),
  comment: leaf('string'),
})
export const TaskCompletions = type('taskCompletions', 'Tasks that are done.', {
  tasks: required(children(() => TaskCompletion)),
})
export const TaskDelegation = type('taskDelegation', 'Tasks for somebody else.', {
  ids: required(leaves('long')),
  assignee: required(leaf('string', 'Name of a user.')),
  comment: leaf('string'),
})
export const TaskChange = type('taskChange', 'What shall be different about tasks.', {
  ids: required(leaves('long')),
  priority: leaf('integer', '0 to 100.'),
  dueDate: leaf('date'),
})

export const WorkflowJob = type('workflowJob', 'Something for the system to do.', {
  id: leaf('long'),
  processId: leaf('long'),
  element: leaf('string', 'Id of the element of the diagram.'),
  name: leaf('string'),
  kind: leaf(jobKinds, 'A service task, a timer, or a message that is waited for.'),
  job: leaf('string', 'Which job: setValue, callWebhook, …; of a message, its name.'),
  item: leaf('string'),
  state: leaf(jobStates),
  attempts: leaf('integer'),
  runAt: leaf('date'),
  endedAt: leaf('date'),
  problem: leaf('string', 'What its last attempt failed of.'),
})
export const JobQuery = type('jobQuery', 'Which jobs. What is absent does not narrow.', {
  states: leaves(jobStates),
  kinds: leaves(jobKinds),
  processIds: leaves('long'),
  before: leaf('long', 'For the next page: the id of the last job of this one.'),
  count: leaf('integer', 'Default 50, at most 1000.'),
})
export const JobList = type('jobList', 'Jobs, newest first.', {
  jobs: children(() => WorkflowJob),
  total: leaf('long', 'How many there are without the page.'),
})
export const JobIds = type('jobIds', 'Jobs.', { ids: required(leaves('long')) })
export const JobType = type('jobType', 'A job that service tasks can name.', {
  job: leaf('string'),
  doc: leaf('string'),
  inputs: map('What it takes, by name.'),
})
export const JobTypeList = type('jobTypeList', 'Jobs that service tasks can name.', { jobs: children(() => JobType) })

export const ItemResult = type('itemResult', 'What became of one process, task or job.', {
  id: leaf('long'),
  status: leaf(['success', 'error']),
  issues: children(() => Issue),
})

export const WorkflowCount = type('workflowCount', 'How many processes of a workflow there are.', {
  configIdentifier: leaf('string'),
  name: leaf('string'),
  running: leaf('integer'),
  finished: leaf('integer'),
  cancelled: leaf('integer'),
  failed: leaf('integer'),
  openTasks: leaf('integer'),
  overdueTasks: leaf('integer'),
  failedJobs: leaf('integer'),
  averageSeconds: leaf('long', 'How long finished processes took.'),
})
export const WorkflowStatistics = type('workflowStatistics', 'How the workflows are doing.', {
  workflows: children(() => WorkflowCount),
  myOpenTasks: leaf('integer', 'In the inbox of the caller.'),
  myOverdueTasks: leaf('integer'),
})
