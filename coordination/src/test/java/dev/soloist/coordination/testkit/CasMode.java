package dev.soloist.coordination.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The tests of this class, or nested in it, run against a stand-in of Pika, by compare-and-set instead of scripts. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CasMode {}
