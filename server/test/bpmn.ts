/**
 * Small BPMN files for tests, written as lines:
 *
 *   bpmn('start > a:user > b:service > end; x > b')      elements by id, with their type where it is not the id
 */
const types: Readonly<Record<string, [tag: string, attributes?: string]>> = {
  start: ['startEvent'],
  end: ['endEvent'],
  user: ['userTask'],
  task: ['task'],
  service: ['serviceTask', 'kontor:job="note"'],
  receive: ['receiveTask'],
  exclusive: ['exclusiveGateway'],
  parallel: ['parallelGateway'],
  inclusive: ['inclusiveGateway'],
  eventBased: ['eventBasedGateway'],
  catch: ['intermediateCatchEvent'],
  throw: ['intermediateThrowEvent'],
  boundary: ['boundaryEvent'],
  subProcess: ['subProcess'],
}

export const timer = (duration: string) =>
  `<timerEventDefinition><timeDuration>${duration}</timeDuration></timerEventDefinition>`

/** `[condition from to text]` for the flow between two elements. */
export const condition = (from: string, to: string, text: string) => `${from} ${to} ${text}\n`

export function bpmn(
  lines: string,
  conditions = '',
  content: Readonly<Record<string, string>> = {},
  roots = '',
  attributes: Readonly<Record<string, string>> = {},
  key = 'p',
): string {
  const typeOf = new Map<string, string>()
  const flows: [string, string][] = []
  for (const line of lines.split(';')) {
    const ids = line.split('>').map((part) => {
      const [id = '', type = id] = part.trim().split(':')
      if (!typeOf.has(id) || part.includes(':')) typeOf.set(id, type)
      return id
    })
    ids.slice(1).forEach((to, i) => flows.push([ids[i]!, to]))
  }
  const conditionOf = new Map(
    conditions.split('\n').flatMap((line) => {
      const [, from, to, text] = /^(\S+) (\S+) (.*)$/.exec(line) ?? []
      return from ? [[`${from} ${to}`, text!.replaceAll('<', '&lt;')] as const] : []
    }),
  )
  const elements = [...typeOf].map(([id, type]) => {
    const [tag, fixed = ''] = types[type] ?? [type]
    return `<${tag} id="${id}" ${fixed} ${attributes[id] ?? ''}>${content[id] ?? ''}</${tag}>`
  })
  const drawn = flows.map(([from, to], i) => {
    const text = conditionOf.get(`${from} ${to}`)
    const inner =
      text === undefined ? '' : `<conditionExpression xsi:type="tFormalExpression">${text}</conditionExpression>`
    return `<sequenceFlow id="f${i}" sourceRef="${from}" targetRef="${to}">${inner}</sequenceFlow>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions id="file" targetNamespace="urn:test" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:kontor="urn:kontor:bpmn">
  ${roots}
  <process id="${key}" name="Test" isExecutable="true">
    ${[...elements, ...drawn].join('\n    ')}
  </process>
</definitions>`
}
