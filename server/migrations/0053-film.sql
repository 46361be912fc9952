-- Films and sounds: the waveform, and copies that browsers play while they are being made.

-- The loudest sample of each of up to 800 equal parts of a sound, in percent.
alter table file_analysis add column peaks smallint[];

-- A copy that waits, is being made or could not be made; a finished one is a row of rendition. One for equal bytes.
create table film_copy (
  source     text        primary key references blob on delete cascade,
  -- who asked for it: copies are counted for each
  holder     text        not null,
  -- in percent; null while it waits
  progress   smallint    check (progress between 0 and 100),
  -- why it could not be made
  note       text,
  changed_at timestamptz not null default now()
);
create index film_copy_holder on film_copy (holder) where note is null;
