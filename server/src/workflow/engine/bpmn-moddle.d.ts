/** What we use of bpmn-moddle, which brings the types of elements but none of its own. */
declare module 'bpmn-moddle' {
  export class BpmnModdle {
    constructor(packages?: Readonly<Record<string, object>>)
    fromXML(xml: string): Promise<{
      rootElement: object
      warnings: { message: string; element?: unknown; property?: string; value?: string }[]
    }>
  }
}
