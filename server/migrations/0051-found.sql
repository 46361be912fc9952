-- How pictures look and what documents say, found out once for equal bytes, so that people find files by it.

create table file_analysis (
  sha256        text        primary key references blob on delete cascade,
  -- names of the palette, most of the picture first, and the colour itself for each of them
  colours       text[]      not null default '{}',
  colour_values text[]      not null default '{}',
  -- a perceptual hash: pictures that look alike differ in few bits. Null for a picture without any structure
  hash          bit(64),
  -- why something is missing, such as a password that a document asks for
  note          text,
  analysed_at   timestamptz not null default now(),
  constraint file_analysis_colours check (cardinality(colours) = cardinality(colour_values))
);

-- The text of a document by page, slide or sheet. A page without text has no row.
create table file_page (
  sha256 text    not null references file_analysis on delete cascade,
  page   integer not null check (page > 0),
  text   text    not null,
  primary key (sha256, page)
);
