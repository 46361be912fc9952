/** The Workflow API: starting workflows (part of the interface), and definitions, processes, tasks and jobs (Kontor extensions). */
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
  TaskPeople,
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
  doc: 'Workflows: processes of tasks for people and jobs for the system, modelled in BPMN 2.0.',
  resources: {},
  routes: {
    start: {
      doc: 'Starts workflows. Each start succeeds or fails on its own. The reply has one entry per start, in the order of the request. The status is 500 if no workflow could be started.',
      access: 'user', needs: { kind: 'workflow', action: 'create' }, method: 'POST', path: '/start', formats: 'json',
      request: BulkStartRequest, replyList: ResponseDto, repliesWith: 500, statuses: [200, 400, 401, 500],
    },

    listConfigurations: { doc: 'Lists the workflow configurations with their parameters.', ...read, method: 'GET', path: '/configurations', reply: WorkflowConfigurationList, statuses: some },
    persistConfiguration: { doc: 'Creates a workflow configuration, or updates the one with this identifier.', ...admin, method: 'POST', path: '/configurations/persist', request: WorkflowConfiguration, reply: WorkflowConfiguration, statuses: some },
    deleteConfiguration: { doc: 'Deletes a workflow configuration. Running processes continue.', ...admin, method: 'DELETE', path: '/configurations/{identifier}', statuses: some },

    listDefinitions: { doc: 'Lists the newest version of each definition.', ...read, method: 'GET', path: '/definitions', query: { key: 'Lists all versions of this definition instead.' }, reply: WorkflowDefinitionList, statuses: some },
    retrieveDefinition: { doc: 'Returns one version of a definition.', ...read, method: 'GET', path: '/definitions/{id}', reply: WorkflowDefinition, statuses: some },
    retrieveDiagram: { doc: 'Returns the BPMN 2.0 file of a definition, including its diagram.', ...read, method: 'GET', path: '/definitions/{id}/xml', reply: 'text', statuses: some },
    checkDefinition: { doc: 'Checks whether a BPMN file can be deployed. Lists each fault with its element. Stores nothing.', ...read, method: 'POST', path: '/definitions/check', request: DefinitionDeployment, reply: DefinitionCheck, statuses: some },
    deployDefinition: { doc: 'Deploys a BPMN file as a new version of its process. A file that is identical to the newest version changes nothing. Running processes keep their version.', ...admin, method: 'POST', path: '/definitions/deploy', request: DefinitionDeployment, reply: WorkflowDefinition, statuses: some },
    deleteDefinition: { doc: 'Deletes a version of a definition. Refused if it has processes or a configuration needs it.', ...admin, method: 'DELETE', path: '/definitions/{id}', statuses: [...some, 409] },
    listJobTypes: { doc: 'Lists the job types that service tasks can use, with their inputs.', ...read, method: 'GET', path: '/job-types', reply: JobTypeList, statuses: some },

    queryProcesses: { doc: 'Lists processes, newest first. Users who are not administrators see the processes that they started or have a task in.', ...read, method: 'POST', path: '/processes/query', request: ProcessQuery, requestOptional: true, reply: ProcessList, statuses: some },
    retrieveProcess: { doc: 'Returns a process with its variables, tasks, jobs, history and current position in the diagram.', ...read, method: 'GET', path: '/processes/{id}', reply: WorkflowProcessDetails, statuses: some },
    cancelProcesses: { doc: 'Cancels processes. For the user who started them and for administrators.', ...update, method: 'POST', path: '/processes/cancel', request: ProcessChange, replyList: ItemResult, statuses: some },
    deleteProcesses: { doc: 'Deletes ended processes with all their data.', ...admin, method: 'POST', path: '/processes/delete', request: ProcessChange, replyList: ItemResult, statuses: some },
    sendMessage: { doc: 'Delivers a message or signal to the processes that wait for it. The reply lists these processes.', ...update, method: 'POST', path: '/processes/message', request: ProcessMessage, replyList: ItemResult, statuses: some },

    queryTasks: { doc: 'Lists tasks. Default: the tasks in your inbox.', ...read, method: 'POST', path: '/tasks/query', request: TaskQuery, requestOptional: true, reply: TaskList, statuses: some },
    retrieveTask: { doc: 'Returns one task.', ...read, method: 'GET', path: '/tasks/{id}', reply: WorkflowTask, statuses: some },
    claimTasks: { doc: 'Assigns tasks to yourself. If several users claim a task, the first one gets it.', ...update, method: 'POST', path: '/tasks/claim', request: TaskIds, replyList: ItemResult, statuses: some },
    unclaimTasks: { doc: 'Returns tasks to their candidates.', ...update, method: 'POST', path: '/tasks/unclaim', request: TaskIds, replyList: ItemResult, statuses: some },
    completeTasks: { doc: 'Completes tasks with the values of their forms. An unassigned task is assigned to you first.', ...update, method: 'POST', path: '/tasks/complete', request: TaskCompletions, replyList: ItemResult, statuses: some },
    delegateTasks: { doc: 'Delegates tasks to another user. The user is notified.', ...update, method: 'POST', path: '/tasks/delegate', request: TaskDelegation, replyList: ItemResult, statuses: some },
    listTaskPeople: { doc: 'Lists the people to whom a task can be delegated: its candidates, and the users with one of its candidate roles, except the assignee.', ...update, method: 'GET', path: '/tasks/{id}/people', reply: TaskPeople, statuses: some },
    changeTasks: { doc: 'Updates the priority or the due date of tasks.', ...update, method: 'POST', path: '/tasks/change', request: TaskChange, replyList: ItemResult, statuses: some },
    commentTask: { doc: 'Adds a comment to a task.', ...update, method: 'POST', path: '/tasks/{id}/comments', request: TaskComment, reply: WorkflowTask, statuses: some },

    queryJobs: { doc: 'Lists system jobs, newest first.', ...admin, method: 'POST', path: '/jobs/query', request: JobQuery, requestOptional: true, reply: JobList, statuses: some },
    retryJobs: { doc: 'Retries failed jobs.', ...admin, method: 'POST', path: '/jobs/retry', request: JobIds, replyList: ItemResult, statuses: some },

    retrieveStatistics: { doc: 'Counts processes, tasks and jobs by workflow.', ...read, method: 'GET', path: '/statistics', reply: WorkflowStatistics, statuses: some },
  },
})
