/** The engine on small models of each kind of element, moved step by step through stored states. */
import { describe, expect, test } from 'vitest'
import { loadModel } from './bpmn.ts'
import { advance, begin, type Input, isCaught, type Step, type Wait } from './engine.ts'
import { bpmn, condition, timer } from '../../../test/bpmn.ts'

const jobs = new Map([['note', { text: false }]])

/** A process that is stored and loaded between any two steps. */
async function start(xml: string, variables: Record<string, unknown> = {}) {
  const model = await loadModel(xml, jobs)
  let step: Step = begin(model, variables)
  const history = [...step.passed]
  const give = (input: Input) => {
    step = advance(model, variables, step.state, input)
    history.push(...step.passed)
    return names()
  }
  const find = (element: string, item?: unknown) => {
    const wait = step.waits.find((one) => one.element === element && (item === undefined || one.item === item))
    expect(wait, `${element} waits`).toBeDefined()
    return wait as Wait
  }
  const names = () =>
    step.status === 'running'
      ? step.waits.map(({ element, item }) => (item === undefined ? element : `${element} ${String(item)}`)).toSorted()
      : [step.status]
  return {
    model,
    variables,
    now: names,
    step: () => step,
    completed: () => history.filter(({ event }) => event === 'completed').map(({ element }) => element),
    done: (element: string, item?: unknown) => give({ kind: 'done', key: find(element, item).key }),
    fire: (element: string) => give({ kind: 'timer', key: find(element).key }),
    fail: (element: string, code: string) => give({ kind: 'error', key: find(element).key, code, message: 'no' }),
    message: (id: string) => give({ kind: 'message', id }),
    give,
  }
}

test('a sequence of tasks is completed one by one', async () => {
  const run = await start(bpmn('start > a:user > b:service > end'))
  expect(run.now()).toEqual(['a'])
  expect(run.done('a')).toEqual(['b'])
  expect(run.done('b')).toEqual(['finished'])
  expect(run.completed()).toEqual(['start', 'a', 'b', 'end'])
})

test('a key that is not waited for changes nothing', async () => {
  const run = await start(bpmn('start > a:user > end'))
  expect(run.give({ kind: 'done', key: 'a_ffff' })).toEqual(['a'])
  expect(run.give({ kind: 'timer', key: 'x' })).toEqual(['a'])
})

describe('gateways', () => {
  const choice = bpmn(
    `start > x:exclusive > a:user > end; x > b:user > end`,
    condition('x', 'a', '${n > 1}') + condition('x', 'b', '${n <= 1}'),
  )
  test('an exclusive one takes the way whose condition holds', async () => {
    expect((await start(choice, { n: 2 })).now()).toEqual(['a'])
    expect((await start(choice, { n: 1 })).now()).toEqual(['b'])
  })

  test('an exclusive one without a way fails with the name of the gateway', async () => {
    const run = await start(
      bpmn(
        `start > x:exclusive > a:user > end; x > b:user > end`,
        condition('x', 'a', '${n}') + condition('x', 'b', '${n}'),
      ),
    )
    expect(run.step()).toMatchObject({ status: 'failed', problem: expect.stringContaining('x') })
  })

  test('a parallel one waits for all of its ways', async () => {
    const run = await start(
      bpmn('start > fork:parallel > a:user > join:parallel > c:user > end; fork > b:service > join'),
    )
    expect(run.now()).toEqual(['a', 'b'])
    expect(run.done('b')).toEqual(['a'])
    expect(run.done('a')).toEqual(['c'])
  })

  test('an inclusive one waits for those that were taken', async () => {
    const model = bpmn(
      'start > fork:inclusive > a:user > join:inclusive > d:user > end; fork > b:user > join; fork > c:user > join',
      condition('fork', 'a', '${true}') + condition('fork', 'b', '${two}') + condition('fork', 'c', '${three}'),
    )
    const run = await start(model, { two: true, three: false })
    expect(run.now()).toEqual(['a', 'b'])
    expect(run.done('b')).toEqual(['a'])
    expect(run.done('a')).toEqual(['d'])
  })

  test('an event-based one goes where something happens first', async () => {
    const model = bpmn(
      'start > g:eventBased > m:catch > a:user > end; g > t:catch > b:user > end',
      '',
      { m: '<messageEventDefinition messageRef="paid"/>', t: timer('PT1H') },
      '<message id="paid" name="Paid"/>',
    )
    expect((await start(model)).now()).toEqual(['m', 't'])
    expect((await start(model)).message('paid')).toEqual(['a'])
    expect((await start(model)).fire('t')).toEqual(['b'])
  })

  test('a loop comes back to the same task as a new one', async () => {
    const run = await start(
      bpmn(
        'start > a:user > x:exclusive > a; x > end',
        condition('x', 'a', '${again}') + condition('x', 'end', '${not again}'),
      ),
      { again: true },
    )
    const { key } = run.step().waits[0]!
    expect(run.done('a')).toEqual(['a'])
    expect(run.step().waits[0]!.key).not.toBe(key)
    expect(run.step().fresh).toHaveLength(1)
    run.variables.again = false
    expect(run.done('a')).toEqual(['finished'])
  })
})

describe('timers', () => {
  test('have a due time that does not change', async () => {
    const run = await start(
      bpmn('start > fork:parallel > t:catch > end; fork > a:user > end', '', { t: timer('PT1H') }),
    )
    const due = () =>
      run
        .step()
        .waits.find(({ kind }) => kind === 'timer')
        ?.due?.getTime() ?? 0
    const first = due()
    expect(first - Date.now()).toBeGreaterThan(3_500_000)
    run.done('a')
    expect(due()).toBe(first)
    expect(run.fire('t')).toEqual(['finished'])
  })

  test('of a task end with it, or take it over', async () => {
    const model = bpmn('start > a:user > end; late:boundary > b:user > end', '', { late: timer('PT1H') }, '', {
      late: 'attachedToRef="a"',
    })
    expect((await start(model)).now()).toEqual(['a', 'late'])
    expect((await start(model)).done('a')).toEqual(['finished'])
    expect((await start(model)).fire('late')).toEqual(['b'])
  })

  test('that do not interrupt leave the task', async () => {
    const model = bpmn('start > a:user > end; late:boundary > b:service > end2:end', '', { late: timer('PT1H') }, '', {
      late: 'attachedToRef="a" cancelActivity="false"',
    })
    const run = await start(model)
    expect(run.fire('late')).toEqual(['a', 'b'])
    expect(run.done('b')).toEqual(['a'])
    expect(run.done('a')).toEqual(['finished'])
  })

  test('that repeat fire the given number of times', async () => {
    const cycle = '<timerEventDefinition><timeCycle>R3/PT1H</timeCycle></timerEventDefinition>'
    const model = bpmn('start > a:user > end; late:boundary > b:service > end2:end', '', { late: cycle }, '', {
      late: 'attachedToRef="a" cancelActivity="false"',
    })
    const run = await start(model)
    for (let i = 0; i < 3; i++) {
      expect(run.now()).toContain('late')
      run.fire('late')
      expect(run.now()).toContain('b')
      run.done('b')
    }
    expect(run.now()).toEqual(['a'])
  })

  test('that are overdue wait for their input', async () => {
    const model = bpmn('start > a:user > z:user > end; late:boundary > b:user > end', '', { late: timer('PT0S') }, '', {
      late: 'attachedToRef="a"',
    })
    expect((await start(model)).now()).toEqual(['a', 'late'])
    expect((await start(model)).done('a')).toEqual(['z'])
    expect((await start(model)).fire('late')).toEqual(['b'])
    const run = await start(model)
    run.fire('late')
    expect(run.step().fresh).toMatchObject([{ element: 'b' }])
  })

  test('take their time from variables', async () => {
    const run = await start(bpmn('start > t:catch > end', '', { t: timer('${wait}') }), { wait: 'P1D' })
    expect(run.step().waits[0]!.due!.getTime() - Date.now()).toBeGreaterThan(86_000_000)
  })

  test.each([
    ['R/1000-01-01T00:00:00Z/PT1S', 'has a date before 1970'],
    ['R/2020-01-01T00:00:00Z/PT0S', 'more often than once a second'],
  ])('fail on the variable %s, which would be counted without an end', async (every, reason) => {
    const cycle = '<timerEventDefinition><timeCycle>${every}</timeCycle></timerEventDefinition>'
    const run = await start(bpmn('start > t:catch > end', '', { t: cycle }), { every })
    expect(run.step()).toMatchObject({ status: 'failed', problem: expect.stringContaining(reason) })
  })
})

describe('repetition', () => {
  const each = (type: string, more = '') =>
    bpmn(`start > a:${type} > end`, '', {
      a: `<multiInstanceLoopCharacteristics kontor:collection="\${locales}" ${more}/>`,
    })

  test.each(['user', 'service'])('a %s task is there once per element', async (type) => {
    const run = await start(each(type), { locales: ['de', 'en', 'fr'] })
    expect(run.now()).toEqual(['a de', 'a en', 'a fr'])
    expect(run.done('a', 'en')).toEqual(['a de', 'a fr'])
    run.done('a', 'de')
    expect(run.done('a', 'fr')).toEqual(['finished'])
  })

  test('goes on with the list it began with', async () => {
    const run = await start(each('user'), { locales: ['de', 'en'] })
    run.variables.locales = []
    expect(run.done('a', 'en')).toEqual(['a de'])
    expect(run.done('a', 'de')).toEqual(['finished'])
  })

  test('one after the other', async () => {
    const run = await start(each('user', 'isSequential="true"'), { locales: ['de', 'en'] })
    expect(run.now()).toEqual(['a de'])
    expect(run.done('a')).toEqual(['a en'])
    expect(run.done('a')).toEqual(['finished'])
  })

  test('of an empty list is done at once', async () => {
    expect((await start(each('user'), { locales: [] })).now()).toEqual(['finished'])
  })

  test('a hundred at the same time', async () => {
    const locales = Array.from({ length: 100 }, (_, i) => `l${i}`)
    const run = await start(each('user'), { locales })
    let left = 100
    while (run.step().status === 'running' && left-- > 0) run.give({ kind: 'done', key: run.step().waits[0]!.key })
    expect(run.now()).toEqual(['finished'])
  })

  test('of a subprocess gives its element to all that is in it', async () => {
    const inner = `<multiInstanceLoopCharacteristics kontor:collection="\${locales}"/>
      <startEvent id="is"/><userTask id="t"/><serviceTask id="s" kontor:job="note"/><endEvent id="ie"/>
      <sequenceFlow id="i1" sourceRef="is" targetRef="t"/><sequenceFlow id="i2" sourceRef="t" targetRef="s"/><sequenceFlow id="i3" sourceRef="s" targetRef="ie"/>`
    const run = await start(bpmn('start > sub:subProcess > z:user > end', '', { sub: inner }), {
      locales: ['de', 'en'],
    })
    expect(run.now()).toEqual(['t de', 't en'])
    expect(run.done('t', 'de')).toEqual(['s de', 't en'])
    expect(run.done('s', 'de')).toEqual(['t en'])
    expect(run.done('t', 'en')).toEqual(['s en'])
    expect(run.done('s', 'en')).toEqual(['z'])
  })
})

describe('subprocesses, errors and escalations', () => {
  const inner = (end: string, first = '<userTask id="t"/>') =>
    `<startEvent id="is"/>${first}<endEvent id="ie">${end}</endEvent>
     <sequenceFlow id="i1" sourceRef="is" targetRef="t"/><sequenceFlow id="i2" sourceRef="t" targetRef="ie"/>`

  test('a subprocess ends when all in it has ended', async () => {
    const run = await start(bpmn('start > sub:subProcess > z:user > end', '', { sub: inner('') }))
    expect(run.now()).toEqual(['t'])
    expect(run.done('t')).toEqual(['z'])
  })

  test('a timer of a subprocess ends what is in it', async () => {
    const run = await start(
      bpmn(
        'start > sub:subProcess > end; late:boundary > z:user > end',
        '',
        { sub: inner(''), late: timer('PT1H') },
        '',
        { late: 'attachedToRef="sub"' },
      ),
    )
    expect(run.now()).toEqual(['late', 't'])
    expect(run.fire('late')).toEqual(['z'])
  })

  const refused = '<error id="refused" errorCode="REFUSED"/>'
  const onError = '<errorEventDefinition errorRef="refused"/>'
  test('the error of a job goes to the boundary event that expects it', async () => {
    const model = bpmn('start > b:service > end; oops:boundary > z:user > end', '', { oops: onError }, refused, {
      oops: 'attachedToRef="b"',
    })
    const run = await start(model)
    expect([isCaught(run.model, 'b', 'REFUSED'), isCaught(run.model, 'b', 'OTHER')]).toEqual([true, false])
    expect(run.now()).toEqual(['b'])
    expect(run.fail('b', 'REFUSED')).toEqual(['z'])
  })

  test('an error inside a subprocess goes to the boundary event of it', async () => {
    const model = bpmn(
      'start > sub:subProcess > end; oops:boundary > z:user > end',
      '',
      { sub: inner('', '<serviceTask id="t" kontor:job="note"/>'), oops: onError },
      refused,
      {
        oops: 'attachedToRef="sub"',
      },
    )
    const run = await start(model)
    expect(isCaught(run.model, 't', 'REFUSED')).toBe(true)
    expect(run.fail('t', 'REFUSED')).toEqual(['z'])
  })

  test('an error end event is caught outside', async () => {
    const model = bpmn(
      'start > sub:subProcess > end; oops:boundary > z:user > end',
      '',
      { sub: inner(onError), oops: onError },
      refused,
      { oops: 'attachedToRef="sub"' },
    )
    const run = await start(model)
    expect(run.done('t')).toEqual(['z'])
  })

  test('an error that nobody catches fails the process', async () => {
    const run = await start(bpmn('start > a:user > end', '', { end: onError }, refused))
    expect(run.done('a')).toEqual(['failed'])
    expect(run.step().problem).toBeTruthy()
  })

  test('an escalation is caught and the subprocess goes on', async () => {
    const escalation = '<escalationEventDefinition escalationRef="late"/>'
    const sub = `<startEvent id="is"/><userTask id="t"/><intermediateThrowEvent id="th">${escalation}</intermediateThrowEvent><userTask id="u"/><endEvent id="ie"/>
      <sequenceFlow id="i1" sourceRef="is" targetRef="t"/><sequenceFlow id="i2" sourceRef="t" targetRef="th"/><sequenceFlow id="i3" sourceRef="th" targetRef="u"/><sequenceFlow id="i4" sourceRef="u" targetRef="ie"/>`
    const model = bpmn(
      'start > sub:subProcess > end; esc:boundary > z:user > end2:end',
      '',
      { sub, esc: escalation },
      '<escalation id="late" name="Late" escalationCode="late"/>',
      {
        esc: 'attachedToRef="sub" cancelActivity="false"',
      },
    )
    const run = await start(model)
    expect(run.done('t')).toEqual(['u', 'z'])
    run.done('u')
    expect(run.done('z')).toEqual(['finished'])
  })

  test('a terminating end event ends everything', async () => {
    const run = await start(
      bpmn('start > fork:parallel > a:user > end; fork > b:user > end2:end', '', {
        end: '<terminateEventDefinition/>',
      }),
    )
    expect(run.done('a')).toEqual(['finished'])
  })
})

describe('messages and signals', () => {
  test('a receive task waits for its message', async () => {
    const run = await start(
      bpmn('start > r:receive > end', '', {}, '<message id="paid" name="Paid"/>', { r: 'messageRef="paid"' }),
    )
    expect(run.step().waits).toMatchObject([{ kind: 'message', message: { id: 'paid', name: 'Paid' } }])
    expect(run.message('other')).toEqual(['r'])
    expect(run.message('paid')).toEqual(['finished'])
  })

  test('a signal thrown in the process is caught in it', async () => {
    const signal = '<signalEventDefinition signalRef="go"/>'
    const run = await start(
      bpmn(
        'start > fork:parallel > c:catch > z:user > end; fork > a:user > t:throw > end2:end',
        '',
        { c: signal, t: signal },
        '<signal id="go" name="Go"/>',
      ),
    )
    expect(run.now()).toEqual(['a', 'c'])
    expect(run.done('a')).toEqual(['z'])
  })
})
