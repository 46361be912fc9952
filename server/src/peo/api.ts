/** Functions of the PEO area for other areas. */
export { behaviourOf, effectiveValue, type EffectiveValue } from './peos/peos.effective.ts'
export { identityOf } from './peos/peos.retrieve.ts'
export { type ExtendingPeo, findExtending, findPlaced, type PlacedPeo } from './peos/peos.sql.ts'
export { findTemplates, type TemplateRow } from './templates/templates.sql.ts'
