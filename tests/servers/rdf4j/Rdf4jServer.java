// RDF4J's NativeStore behind the SPARQL protocol: its own server's war is not in Maven Central.
// java -cp 'target/lib/*' Rdf4jServer.java PORT FOLDER [FILE.nq]
// Queries go to /repositories/test, updates to /repositories/test/statements, as with the real one.
// A query that its client gave up ends by itself: in time, or when its answer gets too large.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import org.eclipse.rdf4j.query.BooleanQuery;
import org.eclipse.rdf4j.query.GraphQuery;
import org.eclipse.rdf4j.query.MalformedQueryException;
import org.eclipse.rdf4j.query.Query;
import org.eclipse.rdf4j.query.TupleQuery;
import org.eclipse.rdf4j.query.resultio.sparqljson.SPARQLBooleanJSONWriter;
import org.eclipse.rdf4j.query.resultio.sparqljson.SPARQLResultsJSONWriter;
import org.eclipse.rdf4j.repository.RepositoryConnection;
import org.eclipse.rdf4j.repository.sail.SailRepository;
import org.eclipse.rdf4j.rio.RDFFormat;
import org.eclipse.rdf4j.rio.ntriples.NTriplesWriter;
import org.eclipse.rdf4j.sail.nativerdf.NativeStore;

public class Rdf4jServer {
    static final String JSON = "application/sparql-results+json";
    static final int LONGEST_QUERY = 120;  // seconds
    static final int LARGEST_ANSWER = 100 << 20;  // bytes

    public static void main(String[] args) throws Exception {
        var repository = new SailRepository(new NativeStore(new File(args[1]), "spoc,posc,cspo"));
        if (args.length > 2) {
            try (var connection = repository.getConnection()) {
                connection.add(new File(args[2]), RDFFormat.NQUADS);
            }
        }
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        var server = HttpServer.create(address, 0);
        server.createContext("/repositories/test", exchange -> {
            try (exchange; var connection = repository.getConnection()) {
                serve(exchange, connection);
            }
        });
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    static void serve(HttpExchange exchange, RepositoryConnection connection) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        var answer = new Answer();
        String type = null;
        int status = 200;
        try {
            if (exchange.getRequestURI().getPath().endsWith("/statements")) {
                connection.prepareUpdate(body).execute();
                status = 204;
            } else {
                type = run(connection.prepareQuery(form(body, "query")), answer);
            }
        } catch (MalformedQueryException | IllegalArgumentException error) {
            status = 400;
            type = say(error, answer);
        } catch (RuntimeException error) {
            status = 500;
            type = say(error, answer);
        }
        if (type != null) exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, status == 204 ? -1 : answer.size());
        if (status != 204) answer.writeTo(exchange.getResponseBody());
    }

    static String run(Query query, ByteArrayOutputStream answer) {
        query.setMaxExecutionTime(LONGEST_QUERY);
        if (query instanceof TupleQuery rows) {
            rows.evaluate(new SPARQLResultsJSONWriter(answer));
            return JSON;
        }
        if (query instanceof BooleanQuery ask) {
            new SPARQLBooleanJSONWriter(answer).handleBoolean(ask.evaluate());
            return JSON;
        }
        ((GraphQuery) query).evaluate(new NTriplesWriter(answer));
        return "application/n-triples";
    }

    static String say(Exception error, ByteArrayOutputStream answer) throws IOException {
        answer.reset();
        answer.write(String.valueOf(error.getMessage()).getBytes(StandardCharsets.UTF_8));
        return "text/plain; charset=utf-8";
    }

    static String form(String body, String name) {
        for (var pair : body.split("&")) {
            var parts = pair.split("=", 2);
            if (parts[0].equals(name)) return URLDecoder.decode(parts[1], StandardCharsets.UTF_8);
        }
        throw new IllegalArgumentException("no " + name + " in the form");
    }

    static class Answer extends ByteArrayOutputStream {
        @Override
        public synchronized void write(byte[] bytes, int start, int length) {
            if (count + length > LARGEST_ANSWER) {
                throw new IllegalStateException("the answer is over " + LARGEST_ANSWER + " bytes");
            }
            super.write(bytes, start, length);
        }
    }
}
