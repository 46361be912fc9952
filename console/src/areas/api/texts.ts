import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'API', reference: 'Reference', requests: 'My requests', whole: 'The whole reference', document: 'OpenAPI document', schema: 'XML Schema', tokens: 'Personal tokens',
    method: 'Method', path: 'Path', does: 'What it does', area: 'Area', status: 'Status', took: 'Took', with: 'With', when: 'When', address: 'From',
    noRequests: 'No requests yet', noRequestsHint: 'Make a personal token, use it in a program, and what it asks appears here.',
    everything: 'All', others: 'Only by programs', thisBrowser: 'this browser', broken: 'broken off', copyId: 'Copy the support id {id}',
  },
  de: {
    title: 'API', reference: 'Referenz', requests: 'Meine Anfragen', whole: 'Die ganze Referenz', document: 'OpenAPI-Dokument', schema: 'XML-Schema', tokens: 'Persönliche Tokens',
    method: 'Methode', path: 'Pfad', does: 'Was sie tut', area: 'Bereich', status: 'Status', took: 'Dauer', with: 'Mit', when: 'Wann', address: 'Von',
    noRequests: 'Noch keine Anfragen', noRequestsHint: 'Ein persönliches Token anlegen und in einem Programm verwenden: Was es fragt, erscheint hier.',
    everything: 'Alle', others: 'Nur von Programmen', thisBrowser: 'dieser Browser', broken: 'abgebrochen', copyId: 'Support-Nummer {id} kopieren',
  },
})
