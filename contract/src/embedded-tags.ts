/**
 * The tags of metadata in files: which ones Kontor reads and how it writes them.
 *
 * An attribute definition of assets names tags in two meta items: `embedded` lists the tags that fill the attribute when
 * a file is imported, in order of preference; `embeddedOut` lists the tags that its value is written to. Without
 * `embeddedOut`, a value is written to the tags that it is read from. `none` stands for no tag.
 */

/** How a property of XMP is written: one text, a text per language, a list, a list in order, a date, a coordinate. */
type XmpShape = 'text' | 'alt' | 'bag' | 'seq' | 'date' | 'owners' | 'coordinate'
/** The directory of EXIF and the kind of value. Windows reads UTF-16. */
type ExifKind = 'ascii' | 'utf16' | 'date'

export type TagTarget =
  | { readonly block: 'xmp'; readonly prefix: keyof typeof xmpNamespaces; readonly name: string; readonly shape: XmpShape } // prettier-ignore
  | { readonly block: 'iptc'; readonly dataset: number; readonly max: number; readonly is: 'text' | 'list' | 'date' | 'time' } // prettier-ignore
  | { readonly block: 'exif'; readonly ifd: 'image' | 'exif'; readonly tag: number; readonly kind: ExifKind }
  | { readonly block: 'gps'; readonly axis: 'Latitude' | 'Longitude' }

export interface EmbeddedTag {
  /** As in definitions, such as `xmp:title`. */
  readonly name: string
  /** Missing for tags that are only read. */
  readonly target?: TagTarget
}

export const xmpNamespaces = {
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  xmpRights: 'http://ns.adobe.com/xap/1.0/rights/',
  Iptc4xmpCore: 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  plus: 'http://ns.useplus.org/ldf/xmp/1.0/',
  lr: 'http://ns.adobe.com/lightroom/1.0/',
  aux: 'http://ns.adobe.com/exif/1.0/aux/',
  exif: 'http://ns.adobe.com/exif/1.0/',
} as const

// prettier-ignore
const xmp: Readonly<Partial<Record<keyof typeof xmpNamespaces, string>>> = {
  dc: 'title alt, description alt, subject bag, creator seq, rights alt, publisher bag, contributor bag, identifier text',
  xmp: 'CreateDate date, CreatorTool text, Label text, Rating text',
  photoshop: 'Headline text, CaptionWriter text, Credit text, Source text, Instructions text, City text, State text, Country text, TransmissionReference text, AuthorsPosition text, DateCreated date',
  xmpRights: 'UsageTerms alt, WebStatement text, Owner bag, Marked text',
  Iptc4xmpCore: 'AltTextAccessibility alt, ExtDescrAccessibility alt, Location text, CountryCode text, IntellectualGenre text, Scene bag, SubjectCode bag',
  Iptc4xmpExt: 'Event alt, PersonInImage bag, OrganisationInImageName bag, AddlModelInfo text',
  plus: 'CopyrightOwner owners, LicenseStartDate date, LicenseEndDate date, MediaConstraints alt, RegionConstraints alt, TermsAndConditionsText alt, ModelReleaseID bag, PropertyReleaseID bag',
  lr: 'hierarchicalSubject bag',
  aux: 'Lens text',
}

/** IPTC IIM, record 2: the number, the name, the largest number of bytes, and whether it is a list, a date or a time. */
// prettier-ignore
const iptc: readonly (readonly [number, string, number, ('list' | 'date' | 'time')?])[] = [
  [5, 'Object Name', 64], [25, 'Keywords', 64, 'list'], [30, 'Release Date', 8, 'date'], [37, 'Expiration Date', 8, 'date'],
  [40, 'Special Instructions', 256], [55, 'Date Created', 8, 'date'], [60, 'Time Created', 11, 'time'], [80, 'By-line', 32, 'list'],
  [85, 'By-line Title', 32, 'list'], [90, 'City', 32], [92, 'Sub-location', 32], [95, 'Province/State', 32],
  [100, 'Country/Primary Location Code', 3], [101, 'Country/Primary Location Name', 64], [103, 'Original Transmission Reference', 32],
  [105, 'Headline', 256], [110, 'Credit', 32], [115, 'Source', 32], [116, 'Copyright Notice', 128], [118, 'Contact', 128, 'list'],
  [120, 'Caption/Abstract', 2000], [122, 'Writer/Editor', 32, 'list'],
]

// prettier-ignore
const exif: readonly (readonly [number, string, 'image' | 'exif', ExifKind])[] = [
  [0x010d, 'DocumentName', 'image', 'ascii'], [0x010e, 'ImageDescription', 'image', 'ascii'], [0x010f, 'Make', 'image', 'ascii'],
  [0x0110, 'Model', 'image', 'ascii'], [0x0131, 'Software', 'image', 'ascii'], [0x0132, 'DateTime', 'image', 'date'],
  [0x013b, 'Artist', 'image', 'ascii'], [0x8298, 'Copyright', 'image', 'ascii'], [0x9003, 'DateTimeOriginal', 'exif', 'date'],
  [0x9004, 'DateTimeDigitized', 'exif', 'date'], [0xa430, 'CameraOwnerName', 'exif', 'ascii'], [0xa433, 'LensMake', 'exif', 'ascii'],
  [0xa434, 'LensModel', 'exif', 'ascii'], [0x9c9b, 'XPTitle', 'image', 'utf16'], [0x9c9c, 'XPComment', 'image', 'utf16'],
  [0x9c9d, 'XPAuthor', 'image', 'utf16'], [0x9c9e, 'XPKeywords', 'image', 'utf16'], [0x9c9f, 'XPSubject', 'image', 'utf16'],
]

/** Facts of the camera and the encoder about the picture: read, never written. */
const onlyRead =
  'exif:ApertureValue, exif:BodySerialNumber, exif:ColorSpace, exif:ExposureBiasValue, exif:ExposureMode, exif:ExposureProgram, exif:ExposureTime, exif:FNumber, exif:Flash, exif:FocalLength, exif:FocalLengthIn35mmFilm, exif:ISOSpeedRatings, exif:LensSerialNumber, exif:MeteringMode, exif:Orientation, exif:ShutterSpeedValue, exif:WhiteBalance, exif:XResolution, exif:YResolution, gps:Altitude, icc:ICC Description, icc:Color Space, iptc:Category, iptc:Supplemental Category, iptc:Urgency, iptc:Edit Status, xmp:Category, xmp:ModifyDate, xmp:MetadataDate, xmp:DocumentID, xmp:SerialNumber, media:title, media:artist' // prettier-ignore

const words = (text: string) => text.split(', ')

export const embeddedTags: readonly EmbeddedTag[] = [
  ...Object.entries(xmp).flatMap(([prefix, names]) =>
    words(names).map((each): EmbeddedTag => {
      const [name = '', shape = 'text'] = each.split(' ')
      return {
        name: `xmp:${name}`,
        target: { block: 'xmp', prefix: prefix as keyof typeof xmpNamespaces, name, shape: shape as XmpShape },
      }
    }),
  ),
  ...iptc.map(([dataset, name, max, is]): EmbeddedTag => ({
    name: `iptc:${name}`,
    target: { block: 'iptc', dataset, max, is: is ?? 'text' },
  })),
  ...exif.map(([tag, name, ifd, kind]): EmbeddedTag => ({
    name: `exif:${name}`,
    target: { block: 'exif', ifd, tag, kind },
  })),
  ...(['Latitude', 'Longitude'] as const).map((axis): EmbeddedTag => ({
    name: `gps:${axis}`,
    target: { block: 'gps', axis },
  })),
  ...words(onlyRead).map((name): EmbeddedTag => ({ name })),
]

/** The tags of the predefined attributes: read from, and written to. */
// prettier-ignore
export const predefinedTags: Readonly<Record<string, readonly [read: string, write: string]>> = {
  TITLE:           ['xmp:title, iptc:Object Name, iptc:Headline, exif:DocumentName, media:title', 'xmp:title, iptc:Object Name, exif:XPTitle'],
  DESCRIPTION:     ['xmp:description, iptc:Caption/Abstract, exif:ImageDescription', 'xmp:description, iptc:Caption/Abstract, exif:ImageDescription'],
  ALT_TEXT:        ['xmp:AltTextAccessibility', 'xmp:AltTextAccessibility'],
  TAGS:            ['xmp:subject, iptc:Keywords', 'xmp:subject, iptc:Keywords, exif:XPKeywords'],
  AUTHOR:          ['xmp:creator, iptc:By-line, exif:Artist, media:artist', 'xmp:creator, iptc:By-line, exif:Artist, exif:XPAuthor'],
  CREDIT:          ['xmp:Credit, iptc:Credit', 'xmp:Credit, iptc:Credit'],
  SOURCE:          ['xmp:Source, iptc:Source', 'xmp:Source, iptc:Source'],
  COPYRIGHT:       ['xmp:rights, iptc:Copyright Notice, exif:Copyright', 'xmp:rights, iptc:Copyright Notice, exif:Copyright'],
  USAGE_TERMS:     ['xmp:UsageTerms', 'xmp:UsageTerms'],
  TAKEN_AT:        ['exif:DateTimeOriginal, xmp:CreateDate, exif:DateTime', 'exif:DateTimeOriginal, xmp:CreateDate, xmp:DateCreated, iptc:Date Created, iptc:Time Created'],
  CITY:            ['xmp:City, iptc:City', 'xmp:City, iptc:City'],
  COUNTRY:         ['xmp:Country, iptc:Country/Primary Location Name', 'xmp:Country, iptc:Country/Primary Location Name'],
  LATITUDE:        ['gps:Latitude', 'gps:Latitude'],
  LONGITUDE:       ['gps:Longitude', 'gps:Longitude'],
  CAMERA:          ['exif:Model', 'none'],
  LENS:            ['exif:LensModel, xmp:Lens', 'none'],
}

/** The meta items of a definition that name tags. */
export const embeddedKeys = ['embedded', 'embeddedOut'] as const

/** Usage rights and keywords, which are no attributes, and the tags that they are written to. */
// prettier-ignore
export const usageTags = {
  creditLine:  'xmp:Credit, iptc:Credit',
  holder:      'xmp:Owner, xmp:CopyrightOwner',
  licence:     'xmp:UsageTerms',
  licenceUrl:  'xmp:WebStatement',
  media:       'xmp:MediaConstraints',
  territories: 'xmp:RegionConstraints',
  validFrom:   'xmp:LicenseStartDate, iptc:Release Date',
  validUntil:  'xmp:LicenseEndDate, iptc:Expiration Date',
  keywords:    'xmp:subject, iptc:Keywords, exif:XPKeywords',
  keywordPaths: 'xmp:hierarchicalSubject',
} as const

/** A download contains the edited values inside the file, or beside it as XMP. */
export const metadataChoices = ['embed', 'sidecar'] as const
