/** Texts of the form that starts a workflow. */
import { defineTexts } from '../ui/language.tsx'

export const texts = defineTexts({
  en: {
    start: 'Start',
    startTitle: 'Start “{name}”',
    workflow: 'Workflow',
    startWorkflow: 'Start workflow',
    noWorkflows: 'No workflow is made for these objects.',
    objects_file: 'Files',
    objects_product: 'Products',
    objects_peo: 'Channel texts',
    objects_project: 'Channels',
    objects_glossary: 'Glossaries',
    together: 'All in one process',
    objectKind: 'Object type',
    started: { one: '{count} process started', other: '{count} processes started' },
  },
  de: {
    start: 'Starten',
    startTitle: '„{name}“ starten',
    workflow: 'Ablauf',
    startWorkflow: 'Ablauf starten',
    noWorkflows: 'Für diese Objekte gibt es keinen Ablauf.',
    objects_file: 'Dateien',
    objects_product: 'Produkte',
    objects_peo: 'Kanaltexte',
    objects_project: 'Kanäle',
    objects_glossary: 'Glossare',
    together: 'Alle in einem Vorgang',
    objectKind: 'Art des Objekts',
    started: { one: '{count} Vorgang gestartet', other: '{count} Vorgänge gestartet' },
  },
})
