/** Well-known headings in English, German and French, and words for languages, yes and no. */
import type { Level } from '../plan.ts'

/** A field of a product, or `asset`. */
interface KnownWord {
  readonly field: 'tid' | 'name' | 'node' | 'asset'
  /** The level that the word usually means. Codes without a level are compared with each other. */
  readonly level?: Level
}

// prettier-ignore
const fieldWords: readonly (readonly [KnownWord, string])[] = [
  [{ field: 'tid' }, 'id, tid, sku, code, ean, gtin, item, item no, item number, item id, item code, article, article no, article number, article id, product id, product no, product number, product code, part number, part no, reference, ref, artikelnummer, artikelnr, artikel nr, art nr, artikel id, artikel, produktnummer, produktnr, produkt nr, produkt id, materialnummer, sachnummer, bestellnummer, nummer, référence, code article, numéro article, numéro de produit, code produit'],
  [{ field: 'tid', level: 0 }, 'parent, parent sku, parent id, parent product, model number, model no, model id, style, style number, group id, product group id, hauptartikel, hauptartikelnummer, vaterartikel, modellnummer, modell nr, modell id, stilnummer, produit parent, numéro de modèle'],
  [{ field: 'tid', level: 1 }, 'article:tid, child sku, unterartikel, farbartikel'],
  [{ field: 'tid', level: 2 }, 'variant, variant sku, variant id, variant no, variation id, variante, variantennummer, varianten nr, varianten id, code variante'],
  [{ field: 'name' }, 'name, title, product name, item name, article name, product title, product, titel, produktname, artikelname, artikelbezeichnung, produktbezeichnung, bezeichnung, benennung, produkt, nom, nom du produit, libellé, désignation, titre, produit'],
  [{ field: 'name', level: 1 }, 'article title'],
  [{ field: 'name', level: 2 }, 'variant name, variant title, variantenname, variantenbezeichnung, nom de la variante'],
  [{ field: 'node' }, 'node, category, categories, product category, category path, product type, product group, group, classification, kategorie, kategorien, produktkategorie, warengruppe, produktgruppe, gruppe, sortiment, klassifikation, catégorie, catégories, famille, groupe, rayon'],
  [{ field: 'asset' }, 'asset, assets, image, images, picture, pictures, photo, photos, file, files, media, main image, image url, image src, picture url, image link, bild, bilder, bilddatei, hauptbild, produktbild, bild url, foto, fotos, datei, dateien, visuel, visuels, fichier, fichiers'],
]

export const knownWords: readonly (readonly [string, KnownWord])[] = fieldWords.flatMap(([word, list]) =>
  list.split(', ').map((heading) => [heading, word] as const),
)

/** Languages as headings name them: the name in the three languages, and its code. */
// prettier-ignore
export const languageWords: Readonly<Record<string, string>> = {
  english: 'en', englisch: 'en', anglais: 'en', german: 'de', deutsch: 'de', allemand: 'de', french: 'fr', französisch: 'fr', français: 'fr',
  italian: 'it', italienisch: 'it', italien: 'it', spanish: 'es', spanisch: 'es', espagnol: 'es', dutch: 'nl', niederländisch: 'nl', néerlandais: 'nl',
  polish: 'pl', polnisch: 'pl', polonais: 'pl', czech: 'cs', tschechisch: 'cs', tchèque: 'cs', danish: 'da', dänisch: 'da', danois: 'da',
  swedish: 'sv', schwedisch: 'sv', suédois: 'sv', norwegian: 'nb', norwegisch: 'nb', norvégien: 'nb', finnish: 'fi', finnisch: 'fi', finnois: 'fi',
  portuguese: 'pt', portugiesisch: 'pt', portugais: 'pt', russian: 'ru', russisch: 'ru', russe: 'ru', turkish: 'tr', türkisch: 'tr', turc: 'tr',
  chinese: 'zh', chinesisch: 'zh', chinois: 'zh', japanese: 'ja', japanisch: 'ja', japonais: 'ja',
}

/** Words for true and false that belong together, the most specific first. */
export const booleanWords: readonly (readonly [isTrue: string, isFalse: string])[] = [
  ['ja', 'nein'],
  ['yes', 'no'],
  ['oui', 'non'],
  ['wahr', 'falsch'],
  ['vrai', 'faux'],
  ['on', 'off'],
  ['j', 'n'],
  ['y', 'n'],
  ['o', 'n'],
  ['x', '-'],
  ['✓', '✗'],
]
