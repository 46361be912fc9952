/**
 * Kontor's extensions to BPMN as a moddle package: attributes and elements in the namespace `urn:kontor:bpmn`.
 *
 *   <userTask kontor:candidateRoles="editor" kontor:assignee="${starter}" kontor:due="P3D" kontor:priority="70">
 *     <extensionElements><kontor:form>
 *       <kontor:field key="decision" name="Decision" type="string" required="true" values="approve,reject"/>
 *     </kontor:form></extensionElements>
 *   <serviceTask kontor:job="setValue" kontor:result="changed">
 *     <extensionElements><kontor:input name="attr">status</kontor:input></extensionElements>
 *   <multiInstanceLoopCharacteristics kontor:collection="${locales}"/>      each iteration has its `item`
 */
const attribute = (name: string) => ({ name, type: 'String', isAttr: true })

export const namespace = 'urn:kontor:bpmn'

export const extension = {
  name: 'Kontor',
  prefix: 'kontor',
  uri: namespace,
  xml: { tagAlias: 'lowerCase' },
  types: [
    {
      name: 'PersonTask',
      isAbstract: true,
      extends: ['bpmn:UserTask', 'bpmn:ManualTask'],
      properties: ['assignee', 'candidateUsers', 'candidateRoles', 'due', 'priority'].map(attribute),
    },
    {
      name: 'SystemTask',
      isAbstract: true,
      extends: ['bpmn:ServiceTask', 'bpmn:SendTask', 'bpmn:BusinessRuleTask'],
      properties: ['job', 'result'].map(attribute),
    },
    {
      name: 'Each',
      isAbstract: true,
      extends: ['bpmn:MultiInstanceLoopCharacteristics'],
      properties: [attribute('collection')],
    },
    {
      name: 'Form',
      superClass: ['Element'],
      properties: [{ name: 'fields', type: 'Field', isMany: true }],
    },
    {
      name: 'Field',
      superClass: ['Element'],
      properties: ['key', 'name', 'type', 'required', 'multiple', 'values', 'default'].map(attribute),
    },
    {
      name: 'Input',
      superClass: ['Element'],
      properties: [attribute('name'), { name: 'text', type: 'String', isBody: true }],
    },
  ],
} as const
