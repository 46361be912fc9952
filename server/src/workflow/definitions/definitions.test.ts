import { describe, expect, test } from 'vitest'
import { bpmn, condition, timer } from '../../../test/bpmn.ts'
import { withServer } from '../../../test/server.ts'
import { base, workflowCalls } from '../../../test/workflow.ts'

const api = withServer()
const flow = workflowCalls(api)
const admin = () => ({ token: api.adminToken })
const check = async (xml: string) => (await flow.post('definitions/check', { xml })).faults ?? []

/** With other content, types or attributes of one element. */
const withElement = (element: string, content = '', attributes = '', roots = '') =>
  bpmn(`start > a:${element} > end`, '', { a: content }, roots, { a: `name="Odd one" ${attributes}` })

const cycle = (text: string) => `<timerEventDefinition><timeCycle>${text}</timeCycle></timerEventDefinition>`

test.each([
  'R/PT1S',
  'R3/PT1H',
  'R100000/P1M',
  'R/2020-01-01T00:00:00Z/PT1S',
  'R/2020-01-01T00:00:00Z/P0.5D',
  'R2/P1DT12H/2090-01-01T00:00:00Z',
  'PT0S',
])('the cycle %s can be run', async (text) => {
  expect(await check(withElement('intermediateCatchEvent', cycle(text)))).toEqual([])
})

describe('a file that costs too much is refused', () => {
  const chain = (count: number) =>
    bpmn(`start > ${Array.from({ length: count }, (_, i) => `t${i}:user`).join(' > ')} > end`)

  test.each([
    ['of more than 256 KiB', `<!--${' '.repeat(256 * 1024)}-->${bpmn('start > end')}`, 'at most 262144 (256 KiB)'],
    ['of more than 1000 elements', chain(500), '1004 elements; at most 1000'],
  ])('%s', async (_, xml, reason) => {
    expect(await check(xml)).toEqual([{ reason: expect.stringContaining(reason) }])
    const reply = await api.post(`${base}/definitions/deploy`, { xml }, admin())
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(reason)])
  })

  test('its faults are listed up to a bound', async () => {
    const faults = await check(bpmn(`start > ${Array.from({ length: 150 }, (_, i) => `s${i}:scriptTask`).join(' > ')}`))
    expect(faults).toHaveLength(101)
    expect(faults.at(-1)).toEqual({ reason: '50 more' })
  })
})

describe('a file that cannot be run is refused with the element and the reason', () => {
  test.each<[string, string, object]>([
    [
      'a script',
      withElement('scriptTask'),
      { element: 'a', name: 'Odd one', type: 'scriptTask', reason: expect.stringContaining('scripts are not run') },
    ],
    [
      'a complex gateway',
      withElement('complexGateway'),
      { type: 'complexGateway', reason: expect.stringContaining('use an inclusive') },
    ],
    [
      'an ad-hoc subprocess',
      withElement('adHocSubProcess'),
      { reason: expect.stringContaining('draw them with sequence flows') },
    ],
    [
      'a service task without a job',
      withElement('serviceTask'),
      { reason: expect.stringContaining('has no kontor:job; name one of setValue') },
    ],
    [
      'an unknown job',
      withElement('serviceTask', '', 'kontor:job="fly"'),
      { reason: expect.stringContaining('unknown kontor:job fly') },
    ],
    [
      'a job without what it needs',
      withElement('serviceTask', '', 'kontor:job="setValue"'),
      { reason: 'the job setValue needs a kontor:input named attr' },
    ],
    [
      'an unknown input',
      withElement(
        'serviceTask',
        '<extensionElements><kontor:input name="x">1</kontor:input></extensionElements>',
        'kontor:job="makePreviews"',
      ),
      { reason: expect.stringContaining('takes no input named x') },
    ],
    [
      'a bad expression',
      withElement('userTask', '', 'kontor:assignee="${a ==}"'),
      { reason: expect.stringContaining('kontor:assignee: the expression ${a ==}: it ends too early') },
    ],
    [
      'an invalid timer',
      withElement('intermediateCatchEvent', timer('3 days')),
      { reason: expect.stringContaining('"3 days" is not in ISO 8601') },
    ],
    ...(
      [
        ['R/1000-01-01T00:00:00Z/PT1S', 'has a date before 1970'],
        ['R/2020-01-01T00:00:00Z/PT0S', 'more often than once a second'],
        ['R/2020-01-01T00:00:00Z/PT0.001S', 'more often than once a second'],
        ['2020-01-01T00:00:00Z/PT0S', 'more often than once a second'],
        ['R/PT1S/9999-12-31T00:00:00Z', 'periods away'],
        ['R/+1000-01-01T00:00:00Z/PT1S', 'has a date before 1970'],
        ['R6000000/PT1H', 'more than 100000 times'],
        [`R${'9'.repeat(200)}/PT1H`, 'longer than 100 characters'],
        ['R/often', 'is not in ISO 8601'],
      ] as const
    ).map(([text, reason]): [string, string, object] => [
      `a cycle ${text.slice(0, 40)}`,
      withElement('intermediateCatchEvent', cycle(text)),
      { reason: expect.stringContaining(reason) },
    ]),
    [
      'a timer without a time',
      withElement('intermediateCatchEvent', '<timerEventDefinition/>'),
      { reason: expect.stringContaining('needs one of timeDuration') },
    ],
    [
      'an event that waits for nothing',
      withElement('intermediateCatchEvent'),
      { reason: expect.stringContaining('waits for nothing') },
    ],
    [
      'a message without a name',
      withElement('intermediateCatchEvent', '<messageEventDefinition/>'),
      { reason: expect.stringContaining('names no message') },
    ],
    [
      'a message that is not there',
      withElement('receiveTask', '', 'messageRef="none"'),
      { element: 'a', reason: 'messageRef names none, which is not in the file' },
    ],
    [
      'a condition that is watched',
      withElement('intermediateCatchEvent', '<conditionalEventDefinition/>'),
      { reason: expect.stringContaining('conditions are not watched') },
    ],
    [
      'an endless repetition',
      withElement('userTask', '<multiInstanceLoopCharacteristics/>'),
      { reason: expect.stringContaining('repeats without an end') },
    ],
    [
      'a call of another file',
      withElement('callActivity', '', 'calledElement="other"'),
      { reason: expect.stringContaining('startWorkflow') },
    ],
    [
      'an event subprocess',
      bpmn('start > a:user > end; ev:subProcess', '', {}, '', { ev: 'triggeredByEvent="true"' }),
      { element: 'ev', reason: expect.stringContaining('started by an event') },
    ],
    [
      'a way without a condition',
      bpmn('start > x:exclusive > a:user > end; x > b:user > end', condition('x', 'a', '${n}')),
      { element: 'x', reason: expect.stringContaining('has no condition') },
    ],
    [
      'a condition in another language',
      bpmn(
        'start > x:exclusive > a:user > end; x > b:user > end',
        condition('x', 'a', 'n == 1') + condition('x', 'b', '${n}'),
      ),
      { type: 'sequenceFlow', reason: expect.stringContaining('is not an expression') },
    ],
    [
      'two start events',
      bpmn('start > a:user > end; other:start > a'),
      { element: 'p', reason: expect.stringContaining('several start events (start, other)') },
    ],
    [
      'a form field without a usable key',
      withElement(
        'userTask',
        '<extensionElements><kontor:form><kontor:field key="starter"/></kontor:form></extensionElements>',
      ),
      { reason: expect.stringContaining('the field "starter"') },
    ],
    [
      'a form field of no type',
      withElement(
        'userTask',
        '<extensionElements><kontor:form><kontor:field key="x" type="colour"/></kontor:form></extensionElements>',
      ),
      { reason: expect.stringContaining('the unknown type "colour"') },
    ],
  ])('%s', async (_, xml, fault) => {
    expect(await check(xml)).toContainEqual(expect.objectContaining(fault))
    const reply = await api.post(`${base}/definitions/deploy`, { xml }, admin())
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(
      String((await check(xml))[0].reason)
        .slice(0, 20)
        .split('"')[0],
    )
  })

  test.each([
    ['', 'not a BPMN 2.0 file'],
    ['hello', 'not a BPMN 2.0 file'],
    ['<a/>', 'not a BPMN 2.0 file'],
    ['<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"/>', 'holds no process'],
    [
      '<!DOCTYPE x [<!ENTITY a "b">]><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">&a;</definitions>',
      '',
    ],
    [bpmn('start > a:user > end').replace('</process>', ''), 'not a BPMN 2.0 file'],
  ])('a text that is not a process (%#)', async (xml, reason) => {
    const faults = await check(xml)
    expect(faults[0].reason).toContain(reason)
  })
})

test('versions: a new file is a new one, the same file is not, and processes keep theirs', async () => {
  const xml = bpmn('start > a:user > end', '', {}, '', {}, 'versioned')
  const first = await flow.deploy(xml)
  expect(first).toMatchObject({
    key: 'versioned',
    version: 1,
    name: 'Test',
    latest: true,
    deployedBy: 'ada',
    running: 0,
  })
  expect((await flow.deploy(xml)).id).toBe(first.id)
  await flow.configure({ identifier: 'F.V', definitionKey: 'versioned', candidateRoles: ['user'] })
  const old = await flow.startOne('F.V')
  const next = xml.replace('id="a" ', 'id="a" name="Second" ')
  const second = await flow.deploy(next)
  expect(second).toMatchObject({ version: 2, latest: true })
  const young = await flow.startOne('F.V')
  expect([(await flow.task(old, 'a')).name, (await flow.task(young, 'a')).name]).toEqual(['a', 'Second'])
  expect(
    (await flow.get('definitions?key=versioned')).definitions.map(
      ({ version, running }: { version: number; running: number }) => [version, running],
    ),
  ).toEqual([
    [2, 1],
    [1, 1],
  ])
  expect((await api.get(`${base}/definitions/${second.id}/xml`)).text).toBe(next)
  expect(await flow.get(`definitions/${first.id}`)).toMatchObject({ latest: false, version: 1 })
})

test('a race of deployments gives each its version', async () => {
  const versions = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      flow.deploy(bpmn('start > a:user > end', '', {}, '', { a: `name="${i}"` }, 'race')),
    ),
  )
  expect(versions.map(({ version }) => version).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('what is in use is not deleted', async () => {
  const { id } = await flow.deploy(bpmn('start > a:user > end', '', {}, '', {}, 'deleted'))
  const remove = () => api.post(`${base}/definitions/${id}`, undefined, { method: 'DELETE', ...admin() })
  await flow.configure({ identifier: 'F.Del', definitionKey: 'deleted' })
  expect((await remove()).text).toContain('is needed by F.Del')
  const process = await flow.startOne('F.Del')
  const gone = await api.post(`${base}/configurations/F.Del`, undefined, { method: 'DELETE', ...admin() })
  expect(gone.status).toBe(200)
  expect(await remove()).toMatchObject({ status: 409, text: expect.stringContaining('has 1 processes') })
  await flow.post('processes/cancel', { ids: [process] }, admin())
  await flow.post('processes/delete', { ids: [process] }, admin())
  expect((await remove()).status).toBe(200)
  expect((await remove()).status).toBe(404)
  expect((await api.get(`${base}/definitions/x`)).status).toBe(404)
})

test('definitions and configurations are changed by administrators alone', async () => {
  const xml = bpmn('start > a:user > end')
  expect((await api.post(`${base}/definitions/deploy`, { xml })).status).toBe(401)
  expect((await api.post(`${base}/configurations/persist`, { identifier: 'F.X', definitionKey: 'p' })).status).toBe(401)
})

describe('configurations', () => {
  test('the shipped ones are there, with their parameters', async () => {
    const { configurations } = await flow.get('configurations')
    expect(configurations.map(({ identifier }: { identifier: string }) => identifier)).toEqual(
      expect.arrayContaining(
        ['AssetApproval', 'ProductEnrichment', 'ChannelRelease', 'GlossaryReview'].map(
          (name) => `F.WorkflowConfig.${name}`,
        ),
      ),
    )
  })

  test.each<[object, string]>([
    [{ definitionKey: 'nothing' }, 'no definition has the key nothing'],
    [{ definitionKey: 'assetApproval', definitionVersion: 99 }, 'in version 99'],
    [{ definitionKey: 'assetApproval', deadline: '3 days' }, 'is not an ISO 8601 duration'],
    [{ definitionKey: 'assetApproval', parameters: [{ key: 'starter', type: 'string' }] }, 'starter cannot be a name'],
    [
      {
        definitionKey: 'assetApproval',
        parameters: [
          { key: 'a', type: 'string' },
          { key: 'a', type: 'string' },
        ],
      },
      'a is defined twice',
    ],
    [
      { definitionKey: 'assetApproval', parameters: [{ key: 'a', type: 'integer', defaultValues: ['x'] }] },
      'the default of a: ',
    ],
    [{ definitionKey: 'assetApproval', linkedTypes: ['boat'] }, 'linkedTypes'],
  ])('%j is refused: %s', async (configuration, why) => {
    const reply = await api.post(`${base}/configurations/persist`, { identifier: 'F.Bad', ...configuration }, admin())
    expect([400, 404]).toContain(reply.status)
    expect(reply.text).toContain(why)
  })
})
