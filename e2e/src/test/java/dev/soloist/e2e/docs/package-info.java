/**
 * What the documents say about this repository, compared with it.
 * Looks at names and links only; whether a sentence is true is the business of the tests that it names.
 */
@NullMarked
package dev.soloist.e2e.docs;

import org.jspecify.annotations.NullMarked;
