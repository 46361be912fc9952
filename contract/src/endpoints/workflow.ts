/** The Workflow API: the start of workflows, as the interface has it, and what we add: definitions, processes, tasks, jobs. */
import { area } from '../endpoint.ts'
import { BulkStartRequest, ResponseDto } from '../schema/workflow.ts'
import {
  DefinitionCheck,
  DefinitionDeployment,
  ItemResult,
  JobIds,
  JobList,
  JobQuery,
  JobTypeList,
  ProcessChange,
  ProcessList,
  ProcessMessage,
  ProcessQuery,
  TaskChange,
  TaskComment,
  TaskCompletions,
  TaskDelegation,
  TaskIds,
  TaskList,
  TaskQuery,
  WorkflowConfiguration,
  WorkflowConfigurationList,
  WorkflowDefinition,
  WorkflowDefinitionList,
  WorkflowProcessDetails,
  WorkflowStatistics,
  WorkflowTask,
} from '../schema/workflow-own.ts'

const own = { formats: 'json', own: true } as const
const read = { access: 'user', needs: { kind: 'workflow', action: 'read' }, ...own } as const
const update = { access: 'user', needs: { kind: 'workflow', action: 'update' }, ...own } as const
const admin = { access: 'admin', ...own } as const
const some = [200, 400, 401, 404, 500] as const

// prettier-ignore
export const workflow = area({
  base: '/api/v1/workflow',
  doc: 'Workflows: processes that consist of tasks for people and jobs for the system, drawn in BPMN 2.0.',
  resources: {},
  routes: {
    start: {
      doc: 'Starts workflows. Each start is judged for itself: what is wrong with one does not touch the others. The reply has an entry per start, in order; it is 500 when none could be started.',
      access: 'user', needs: { kind: 'workflow', action: 'create' }, method: 'POST', path: '/start', formats: 'json',
      request: BulkStartRequest, replyList: ResponseDto, statuses: [200, 400, 401, 500],
    },

    listConfigurations: { doc: 'The workflows that can be started, with their parameters.', ...read, method: 'GET', path: '/configurations', reply: WorkflowConfigurationList, statuses: some },
    persistConfiguration: { doc: 'Creates a workflow configuration, or changes the one with this identifier.', ...admin, method: 'POST', path: '/configurations/persist', request: WorkflowConfiguration, reply: WorkflowConfiguration, statuses: some },
    deleteConfiguration: { doc: 'Removes a workflow configuration. Processes started by it go on.', ...admin, method: 'DELETE', path: '/configurations/{identifier}', statuses: some },

    listDefinitions: { doc: 'The definitions, in their newest versions.', ...read, method: 'GET', path: '/definitions', query: { key: 'Only this one, in all its versions.' }, reply: WorkflowDefinitionList, statuses: some },
    retrieveDefinition: { doc: 'One version of a definition.', ...read, method: 'GET', path: '/definitions/{id}', reply: WorkflowDefinition, statuses: some },
    retrieveDiagram: { doc: 'The BPMN 2.0 file of a definition, with its diagram.', ...read, method: 'GET', path: '/definitions/{id}/xml', reply: 'text', statuses: some },
    checkDefinition: { doc: 'Says whether a BPMN file could be deployed: each fault with its element. Stores nothing.', ...read, method: 'POST', path: '/definitions/check', request: DefinitionDeployment, reply: DefinitionCheck, statuses: some },
    deployDefinition: { doc: 'Deploys a BPMN file as a new version of the process it holds. A file that is the newest version already changes nothing. Running processes keep their version.', ...admin, method: 'POST', path: '/definitions/deploy', request: DefinitionDeployment, reply: WorkflowDefinition, statuses: some },
    deleteDefinition: { doc: 'Removes a version of a definition. One that has processes, or that a configuration needs, is refused.', ...admin, method: 'DELETE', path: '/definitions/{id}', statuses: [...some, 409] },
    listJobTypes: { doc: 'The jobs that service tasks can name, with what they take.', ...read, method: 'GET', path: '/job-types', reply: JobTypeList, statuses: some },

    queryProcesses: { doc: 'Processes, newest first. Who is no administrator sees those they started or have a task of.', ...read, method: 'POST', path: '/processes/query', request: ProcessQuery, requestOptional: true, reply: ProcessList, statuses: some },
    retrieveProcess: { doc: 'A process with its variables, tasks, jobs, history, and where it stands in the diagram.', ...read, method: 'GET', path: '/processes/{id}', reply: WorkflowProcessDetails, statuses: some },
    cancelProcesses: { doc: 'Ends processes before their time. For who started them, and for administrators.', ...update, method: 'POST', path: '/processes/cancel', request: ProcessChange, replyList: ItemResult, statuses: some },
    deleteProcesses: { doc: 'Removes processes that have ended, with all that is known of them.', ...admin, method: 'POST', path: '/processes/delete', request: ProcessChange, replyList: ItemResult, statuses: some },
    sendMessage: { doc: 'Delivers a message or signal to processes that wait for it, and tells to which.', ...update, method: 'POST', path: '/processes/message', request: ProcessMessage, replyList: ItemResult, statuses: some },

    queryTasks: { doc: 'Tasks: the inbox of the caller unless the query says otherwise.', ...read, method: 'POST', path: '/tasks/query', request: TaskQuery, requestOptional: true, reply: TaskList, statuses: some },
    retrieveTask: { doc: 'One task.', ...read, method: 'GET', path: '/tasks/{id}', reply: WorkflowTask, statuses: some },
    claimTasks: { doc: 'Makes tasks the caller\'s. Of several who claim one, the first has it.', ...update, method: 'POST', path: '/tasks/claim', request: TaskIds, replyList: ItemResult, statuses: some },
    unclaimTasks: { doc: 'Gives tasks back to all who may do them.', ...update, method: 'POST', path: '/tasks/unclaim', request: TaskIds, replyList: ItemResult, statuses: some },
    completeTasks: { doc: 'Completes tasks with the values of their forms. A task of nobody becomes the caller\'s by this.', ...update, method: 'POST', path: '/tasks/complete', request: TaskCompletions, replyList: ItemResult, statuses: some },
    delegateTasks: { doc: 'Gives tasks to somebody else, who is told.', ...update, method: 'POST', path: '/tasks/delegate', request: TaskDelegation, replyList: ItemResult, statuses: some },
    changeTasks: { doc: 'Changes the priority or the due date of tasks.', ...update, method: 'POST', path: '/tasks/change', request: TaskChange, replyList: ItemResult, statuses: some },
    commentTask: { doc: 'Adds a comment to a task.', ...update, method: 'POST', path: '/tasks/{id}/comments', request: TaskComment, reply: WorkflowTask, statuses: some },

    queryJobs: { doc: 'Jobs of the system, newest first.', ...admin, method: 'POST', path: '/jobs/query', request: JobQuery, requestOptional: true, reply: JobList, statuses: some },
    retryJobs: { doc: 'Runs failed jobs again.', ...admin, method: 'POST', path: '/jobs/retry', request: JobIds, replyList: ItemResult, statuses: some },

    retrieveStatistics: { doc: 'How many processes, tasks and jobs there are, by workflow.', ...read, method: 'GET', path: '/statistics', reply: WorkflowStatistics, statuses: some },
  },
})
