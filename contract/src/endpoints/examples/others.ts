/** Samples for identity, search, transfers, webhooks and workflow. */
import { type Examples, noon } from './build.ts'

const password = 'a quiet heron by the weir'
const search = {
  context: { searchType: 'INDEX', index: 'PRODUCT' },
  query: {
    queryType: 'COMBINED',
    operator: 'AND',
    queries: [
      { queryType: 'FULLTEXT', value: 'dinghy' },
      { queryType: 'FIELD', name: 'classificationPath', comparator: 'EQ', value: '/Boats' },
    ],
  },
  pageIndex: 0,
  pageSize: 20,
  sortOptions: [{ attribute: 'name', direction: 'ASC' }],
  language: 'en_GB',
}
const definition = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="file" targetNamespace="urn:example">
  <process id="look" isExecutable="true">
    <startEvent id="start"/>
    <sequenceFlow id="toLook" sourceRef="start" targetRef="lookAtIt"/>
    <userTask id="lookAtIt" name="Look at it"/>
    <sequenceFlow id="toEnd" sourceRef="lookAtIt" targetRef="end"/>
    <endEvent id="end"/>
  </process>
</definitions>`
const grants = [{ kind: 'product', actions: ['read', 'update'], scopes: { node: ['/Boats'] } }]
const client = { name: 'Web shop', redirectUris: ['https://shop.example.com/signed-in'], roles: ['user'] }

export const otherExamples: Examples = {
  'changes.createChange': {
    request: {
      name: 'Autumn',
      selection: { nodePaths: ['/Boats'] },
      operations: [
        { type: 'set', attribute: 'length', values: ['4.2'] },
        { type: 'findReplace', attribute: 'title', locale: 'en_GB', find: 'Spring', replacement: 'Autumn' },
        { type: 'link', dataType: 'project', to: 'shop' },
      ],
    },
  },
  'changes.guessPatterns': { request: { selection: { folderPaths: ['/MAM/boats'] } } },
  'identity.changeMe': { request: { displayName: 'Kim Larsen', email: 'kim@example.com' } },
  'identity.changePassword': { request: { current: 'three slow ferries at dusk', password } },
  'identity.confirmTwoFactor': { request: { code: '492039' } },
  'identity.removeTwoFactor': { request: { code: '492039' } },
  'identity.createToken': { request: { name: 'Nightly import', kind: 'offline' } },
  'identity.createUser': { request: { name: 'kim.larsen', displayName: 'Kim Larsen', password, roles: ['user'] } },
  'identity.changeUser': { request: { displayName: 'Kim Larsen', enabled: true } },
  'identity.resetPassword': { request: { password } },
  'identity.setUserRoles': { request: { roles: ['user'] } },
  'identity.setUserGroups': { request: { groups: ['boats'] } },
  'identity.putGroup': { request: { description: 'Boat editors', roles: ['user'] } },
  'identity.putRole': { request: { description: 'Edits boats', grants } },
  'identity.createClient': { request: { id: 'web-shop', ...client } },
  'identity.changeClient': { request: client },
  'presence.announce': { request: { dataType: 'product', tid: 'dinghy', editing: true } },
  'search.search': { request: search },
  'search.searchQuery': { request: search },
  'search.fields': { request: { index: 'PRODUCT', showAllowedOperators: true, fields: ['name'] } },
  'search.suggest': { request: { index: 'PRODUCT', text: 'din', count: 10 } },
  'search.typeAhead': { request: { index: 'PRODUCT', name: 'name', text: 'din', count: 10 } },
  'search.addHistory': { request: { text: 'dinghy' } },
  'search.queryHistory': { request: { text: 'din', count: 10 } },
  'search.commandIndex': { request: { index: 'PRODUCT', command: 'STATE' } },
  'search.storeSearch': { request: { name: 'Dinghies', searchObject: search } },
  'search.changeStoredSearch': { request: { name: 'Small boats', searchObject: search } },
  'search.putConfiguration': {
    request: {
      identifier: 'boats',
      label: 'Boats',
      index: 'PRODUCT',
      filter: { queryType: 'FIELD', name: 'classificationPath', comparator: 'EQ', value: '/Boats' },
    },
  },
  'transfers.putProfile': {
    request: {
      name: 'prices',
      delimiter: ';',
      columns: [
        { column: 'Item no.', field: 'tid' },
        { column: 'Length', attr: 'length' },
        { column: 'Stock', field: 'ignore' },
      ],
    },
  },
  'transfers.suggestTranslations': { request: { target: 'de_DE', texts: ['A boat for two'] } },
  'transfers.createExport': { request: { format: 'csv', columns: ['tid', 'title@en_GB'], nodePaths: ['/Boats'] } },
  'feeds.putFeed': {
    request: {
      direction: 'export',
      schedule: { cron: '0 6 * * 1-5', timeZone: 'Europe/Berlin' },
      export: { format: 'csv', nodePaths: ['/Boats'] },
      fileName: 'boats-{date}.csv',
      place: { kind: 'sftp', host: 'sftp.example.com', user: 'kontor', password: 'keep it secret', path: '/in' },
      maxShrink: 30,
    },
  },
  'rules.putRule': {
    request: {
      condition: { queryType: 'FIELD', name: 'classificationPath', comparator: 'EQ', value: '/Boats' },
      operations: [
        { type: 'concatenate', attribute: 'title', locale: 'en_GB', template: '{$name}, {length} m' },
        {
          type: 'calculate',
          attribute: 'title',
          locale: 'de_DE',
          expression: 'number("length") > 6 ? "Yacht" : "Jolle"',
        },
      ],
      onChange: true,
    },
  },
  'collections.createCollection': { request: { name: 'Autumn', description: 'For the catalogue', roles: ['reader'] } },
  'collections.putCollection': { request: { name: 'Autumn and winter', users: ['kim'] } },
  'collections.changeCollectionAssets': { request: { add: ['BOAT-1', 'BOAT-2'], move: ['BOAT-2'], before: 'BOAT-1' } },
  'shares.createShare': {
    request: {
      kind: 'download',
      title: 'For the press',
      expiresAt: '2026-12-31T12:00:00.000Z',
      password: 'correct horse battery',
      tids: ['BOAT-1'],
      profiles: ['web'],
      watermark: 'marked',
    },
  },
  'shares.putShare': {
    request: {
      kind: 'upload',
      title: 'Your photos',
      expiresAt: '2026-12-31T12:00:00.000Z',
      folder: '/MAM/in',
      maxFiles: 20,
      extensions: ['jpg', 'png'],
    },
  },
  'webhooks.createWebhook': { request: { url: 'https://shop.example.com/kontor', types: ['kontor.product.*'] } },
  'webhooks.changeWebhook': { request: { types: ['kontor.product.*', 'kontor.asset.*'], enabled: true } },
  'webhooks.replay': { request: { since: noon, states: ['refused'] } },
  'workflow.start': {
    request: {
      configIdentifier: 'F.WorkflowConfig.GlossaryReview',
      processStartRequests: [
        {
          linkedObjects: [{ tid: 'sailing', type: 'glossary' }],
          parameters: [{ key: 'locales', type: 'language', values: ['de_DE', 'en_GB'] }],
        },
      ],
    },
  },
  'workflow.persistConfiguration': {
    request: {
      identifier: 'F.WorkflowConfig.Look',
      name: 'Look',
      definitionKey: 'assetApproval',
      linkedTypes: ['file'],
    },
  },
  'workflow.checkDefinition': { request: { xml: definition } },
  'workflow.deployDefinition': { request: { xml: definition, name: 'Look' } },
  'workflow.queryProcesses': { request: { states: ['running'], definitionKey: 'glossaryReview' } },
  'workflow.cancelProcesses': { request: { ids: [4718], reason: 'started twice' } },
  'workflow.deleteProcesses': { request: { ids: [4718], reason: 'a trial' } },
  'workflow.sendMessage': { request: { name: 'paid', processIds: [4718] } },
  'workflow.queryTasks': { request: { scope: 'mine', states: ['open'], sort: 'dueDate' } },
  'workflow.completeTasks': { request: { tasks: [{ id: 4719, values: { decision: 'approve' } }] } },
  'workflow.delegateTasks': { request: { ids: [4719], assignee: 'kim.larsen', comment: 'Could you?' } },
  'workflow.changeTasks': { request: { ids: [4719], priority: 70, dueDate: noon } },
  'workflow.commentTask': { request: { text: 'The second picture is too dark.' } },
  'workflow.queryJobs': { request: { states: ['failed'], kinds: ['service'] } },
}
